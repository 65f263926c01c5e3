import { testMutantsOf } from './judge.js';

testMutantsOf('authentication');
