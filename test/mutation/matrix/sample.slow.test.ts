import { expect, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import { checks } from '../../../src/conformance/checks/index.js';
import { readRecording } from '../../fence/recording.js';
import { mutantList, readings } from '../mutants/index.js';
import { variantList } from '../variants/index.js';
import { testMutants, testVariants } from './judge.js';
import { pickForEachCheck } from './sample.js';

// What `npm test` tries of the matrix; the files beside this one, which are slow, take turns at all of it.

testMutants('one for each check', pickForEachCheck(mutantList));
// What only waits for its responses, or has many records, is left to the slow tests.
testVariants(
  'one of this turn',
  inTurn(
    variantList.filter(({ group }) => group !== 'time' && group !== 'collections'),
    48,
  ).slice(0, 1),
);

test('every mutant names checks that exist', () => {
  const known = new Set(checks.map(({ id }) => id));
  const named = mutantList.flatMap(({ foundBy }) => foundBy);
  expect(named.filter((check) => !known.has(check))).toEqual([]);
});

test('ids are kebab-case, no id or title stands twice, and each mutant names the section that it breaks', () => {
  const entries = [...mutantList, ...variantList];
  expect(entries.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  for (const values of [entries.map(({ id }) => id), entries.map(({ title }) => title)])
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  expect(mutantList.filter(({ breaks }) => !/^\d[^:]*: ./.test(breaks))).toEqual([]);
});

test('every reading of the interface that is explained is used', () => {
  const used = new Set(mutantList.flatMap(({ reading }) => reading ?? []));
  expect([...used].sort()).toEqual(Object.keys(readings).sort());
});

test('the recording of the fence has a problem for each mutant, and none for a variant', () => {
  const recording = readRecording();
  const count = (group: string, { id }: { id: string }): number | undefined =>
    recording[`${group}/${id}`]?.problems.length;
  // `npm run fence` records them anew.
  expect(mutantList.filter((mutant) => (count('mutants', mutant) ?? 0) < 1).map(({ id }) => id)).toEqual([]);
  expect(variantList.filter((variant) => count('variants', variant) !== 0).map(({ id }) => id)).toEqual([]);
});
