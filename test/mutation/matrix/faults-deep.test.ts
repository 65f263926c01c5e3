import { testFaults } from './judge.js';

testFaults('deep');
