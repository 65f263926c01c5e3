import { testMutantsOf } from './judge.js';

testMutantsOf('get');
