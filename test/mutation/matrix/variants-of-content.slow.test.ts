import { testVariantsOf } from './judge.js';

testVariantsOf(['answers', 'collections', 'creation', 'keys-and-paths', 'odd-requests']);
