import { expect, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import { pickForEachCheck } from '../matrix/sample.js';
import { mutantList, type MutantId } from '../mutants/index.js';
import { judgeRenamed } from './judge.js';

const sample = inTurn(pickForEachCheck(mutantList), 8).map(({ id }) => id as MutantId);

test.each(sample)('%s by other names: every place told is in the document, every request told was sent', async (id) => {
  expect(await judgeRenamed({ operationIds: 'kept' }, { mutants: [id] })).toMatchObject({ dead: [], neverSent: [] });
});

test.each(sample)('%s with other operationIds too', async (id) => {
  expect(await judgeRenamed({ operationIds: 'renamed' }, { mutants: [id] })).toMatchObject({ dead: [], neverSent: [] });
});
