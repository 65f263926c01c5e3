import { testFaults } from './judge.js';

testFaults('limits');
