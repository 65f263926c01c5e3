import { testMutants } from './judge.js';

testMutants('filter');
