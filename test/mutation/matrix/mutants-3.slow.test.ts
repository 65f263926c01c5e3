import { testMutantsOf } from './judge.js';

// A third of those whose turn it is, so that workers share them.
testMutantsOf(3, 3);
