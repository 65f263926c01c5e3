import { testMutants } from './judge.js';

testMutants('create');
