import { testMutantsOf } from './judge.js';

testMutantsOf('filter');
