import { testVariants } from './judge.js';

testVariants(['answers', 'collections', 'creation', 'keys-and-paths', 'odd-requests']);
