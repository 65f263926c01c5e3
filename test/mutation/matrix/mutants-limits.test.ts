import { testMutants } from './judge.js';

testMutants('limits');
