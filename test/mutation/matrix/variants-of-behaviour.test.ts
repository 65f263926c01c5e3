import { testVariants } from './judge.js';

testVariants(['orders-and-ids', 'parameters', 'time', 'transport']);
