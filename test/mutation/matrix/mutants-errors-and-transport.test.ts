import { testMutants } from './judge.js';

testMutants('errors-and-transport');
