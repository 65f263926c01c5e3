import { testMutants } from './judge.js';

testMutants('authentication');
