import { testMutantsOf } from './judge.js';

testMutantsOf('limits');
