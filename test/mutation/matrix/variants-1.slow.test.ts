import { testVariantsOf } from './judge.js';

// Half of those whose turn it is, so that workers share them.
testVariantsOf(1, 2);
