import { testFaults } from './judge.js';

testFaults('get');
