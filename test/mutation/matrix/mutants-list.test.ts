import { testMutants } from './judge.js';

testMutants('list');
