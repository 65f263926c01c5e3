import { testFaults } from './judge.js';

testFaults('authentication');
