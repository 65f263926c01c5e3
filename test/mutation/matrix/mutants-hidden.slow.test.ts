import { testMutantsOf } from './judge.js';

testMutantsOf('hidden');
