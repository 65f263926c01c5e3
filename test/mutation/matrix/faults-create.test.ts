import { testFaults } from './judge.js';

testFaults('create');
