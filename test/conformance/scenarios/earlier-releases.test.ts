import { expect, test } from 'vitest';
import { matchesId } from '../../../src/conformance/scenarios/select-scenarios.js';
import { renameId } from '../../../src/conformance/scenarios/earlier-releases.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';

const ids = planRun({}).scenarios.map(({ id }) => id);

/** The scenarios that the current form of an old id or glob selects. */
function listFound(pattern: string): string[] {
  const renamed = renameId(pattern, ids);
  return ids.filter((id) => matchesId(id, renamed));
}

/** Every file of scenarios that a release had for the petstore alone, with where its work is done now. */
test.each([
  ['authentication', '/refusals/credential'],
  ['create', '/records/'],
  ['create-invalid', '/refusals/'],
  ['gaps', '/gaps/'],
  ['get', '/records/'],
  ['limits', '/lists/'],
  ['list', '/lists/'],
  ['open-points', '/gaps/'],
  ['sequences', '/sequences/'],
  ['status-filter', '/lists/'],
  ['transport', '/requests/'],
])('ids and globs of the old file %s lead to scenarios of the shipped contract below %s', (file, where) => {
  const found = listFound(`${file}/*`);
  expect(found).not.toEqual([]);
  expect(found.filter((id) => !id.includes(where))).toEqual([]);
  expect(listFound(`${file}/a-scenario-that-is-gone[a]`)).toEqual(found);
});

test.each([
  ['short-pages', ['pets/gaps/short-pages[limit-2]']],
  ['head', ['pets/service/head']],
  ['sunset-header', ['petstore/sunset-header']],
])('the scenario of the gap %s keeps its name, wherever it is now', (gap, found) => {
  expect(listFound(`gaps/${gap}`)).toEqual(found);
  expect(listFound(`open-points/${gap}`)).toEqual(found);
});

test("current ids, and those of a user's file with an old name, stay as they are", () => {
  for (const id of ['pets/records/create', 'petstore/*', 'toString/a']) expect(renameId(id, ids)).toBe(id);
  expect(renameId('create/minimal', [...ids, 'create/own'])).toBe('create/minimal');
});
