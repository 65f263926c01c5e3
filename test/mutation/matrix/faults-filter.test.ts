import { testFaults } from './judge.js';

testFaults('filter');
