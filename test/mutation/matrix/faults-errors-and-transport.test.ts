import { testFaults } from './judge.js';

testFaults('errors-and-transport');
