import { testFaults } from './judge.js';

testFaults('list');
