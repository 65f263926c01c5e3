import { testMutantsOf } from './judge.js';

testMutantsOf('list');
