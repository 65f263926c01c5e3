import { testMutantsOf } from './judge.js';

testMutantsOf('create');
