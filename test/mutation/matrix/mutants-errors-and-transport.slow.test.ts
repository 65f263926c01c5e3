import { testMutantsOf } from './judge.js';

testMutantsOf('errors-and-transport');
