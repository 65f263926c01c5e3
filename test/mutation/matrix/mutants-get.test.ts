import { testMutants } from './judge.js';

testMutants('get');
