import { testMutants } from './judge.js';

testMutants('deep');
