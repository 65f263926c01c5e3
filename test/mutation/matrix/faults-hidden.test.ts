import { testFaults } from './judge.js';

testFaults('hidden');
