import { testMutants } from './judge.js';

testMutants('hidden');
