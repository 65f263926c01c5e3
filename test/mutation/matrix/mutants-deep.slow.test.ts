import { testMutantsOf } from './judge.js';

testMutantsOf('deep');
