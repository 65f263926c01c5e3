import { mutantList } from '../mutants/index.js';
import { variantList } from '../variants/index.js';
import { testMutants, testVariants } from './judge.js';
import { pickForEachCheck, pickSpread } from './sample.js';

// What `npm test` tries of the matrix; the files beside this one, which are slow, try all of it.

const forEachCheck = pickForEachCheck(mutantList);
const tried = new Set(forEachCheck.map(({ id }) => id));

testMutants('one for each check', forEachCheck);
testMutants(
  'a spread sample',
  pickSpread(mutantList, 48).filter(({ id }) => !tried.has(id)),
);
// What only waits for its answers is left to the slow tests.
testVariants(
  'a spread sample',
  pickSpread(
    variantList.filter(({ group }) => group !== 'time'),
    48,
  ),
);
