import { testVariantsOf } from './judge.js';

testVariantsOf(['orders-and-ids', 'parameters', 'time', 'transport']);
