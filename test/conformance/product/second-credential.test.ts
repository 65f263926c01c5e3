import { expect, test } from 'vitest';
import { runConformance, type ConformanceOptions } from '../../../src/conformance/index.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { inTurn } from '../../../scripts/turns.mjs';
import { makeFolder } from '../../support/folder.js';
import { startLots, type Defect } from '../support/lots.js';

const KEYS = { apiKey: 'the-key-of-ann-1', credentialB: 'the-key-of-ben-2' };

/** With the key of a second one. */
async function run(defects: readonly Defect[], only: string[], options: Partial<ConformanceOptions> = {}) {
  const { url, spec } = await startLots({ ann: KEYS.apiKey, ben: KEYS.credentialB }, defects, makeFolder);
  return runConformance({ target: url, spec, ...KEYS, only, settleMs: 0, concurrency: 1, ...options });
}

const headlines = async (...given: Parameters<typeof run>): Promise<string[]> =>
  (await run(...given)).problems.map(({ headline }) => headline);

const EACH = [
  'lots/access/* notes/access/* lots/chains/* notes/chains/* lots/lists/each-read* lots/refusals/update-partly*',
  'lots/lists/filter-walk* lots/requests/unmodified-list lots/requests/upgrade-with-body lots/sequences/changed*',
  '*/own-key-above* */folded-key-above* lots/refusals/odd-change* lots/changes/merge-into* lots/requests/modified-list*',
].flatMap((each) => each.split(' '));

test('a service that does as it says is not accused, and what it leaves open is told', async () => {
  const result = await run([], EACH);
  expect(result.problems).toEqual([]);
  const others = result.scenarios.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'observed');
  expect(others.map(({ id, reason }) => [id, reason])).toEqual([
    ['lots/chains/key-at-once[key]', 'the service accepts each key only once'],
  ]);
  const shared = result.gaps.filter(({ id }) => id.endsWith('second-key')).map(({ id, answer }) => [id, answer]);
  expect(shared).toEqual([
    ['lots.second-key', ['get: shared', 'list: shared']],
    ['notes.second-key', ['get: shared', 'list: shared']],
  ]);
  expect(JSON.stringify(result)).not.toMatch(/key-of-(?:ann|ben)/);
});

/** Each defect, the scenario that alone finds it, and what is said of it. */
const FOUND: [Defect, string, RegExp][] = [
  ['others-remove', 'lots/access/reserved[remove]', /^removeLot serves a second credential with what the contract/],
  ['others-update', 'lots/access/reserved[update]', /^updateLot serves a second credential/],
  ['others-see-private', 'lots/access/private[get]', /^getLot serves a second credential/],
  ['others-list-private', 'lots/access/private-list[list]', /^listLots serves a second credential/],
  ['third-forbidden', 'lots/lists/each-read[page]', /^getLot rejects with 403 what the contract allows/],
  ['rejected-takes-key', 'lots/chains/rejected-key[key]', /^createLot rejects with 409 what the contract allows/],
  ['again-as-before', 'lots/chains/created-again[key]', /^`amount` is not as it was sent/],
  ['notes-come-back', 'notes/chains/parent-created-again', /^A deleted record is still in responses of listNotes/],
  ['numbers-again', 'notes/chains/key-once[key]', /^One key is given to several records/],
  ['equal-twice', 'lots/chains/key-at-once[key]', /^One key is given to several records/],
  ['change-escapes', 'lots/sequences/changed-texts[update-signs]', /^`remark` is not as it was sent in .*updateLot/],
  ['change-rounds', 'lots/sequences/changed-values[update-fraction]', /^`weight` is not as it was sent in .*updateLot/],
  ['change-counts-bytes', 'lots/sequences/changed-longest[update-letters]', /^updateLot rejects with 400 what the/],
  ['change-in-part', 'lots/refusals/update-partly[amount-*', /^`\w+` is not as it was sent in responses of getLot/],
  ['digits-lost-below', 'notes/parents/own-key-above[digits]', /^createNote rejects with 404 what the contract/],
  ['case-lost-below', 'notes/parents/folded-key-above[case]', /^listNotes returns 200 instead of 404/],
  ['offset-first', 'lots/lists/filter-walk[visibility]', /^A record appears twice in the pages of listLots/],
  ['list-tag-fails', 'lots/requests/unmodified-list', /^listLots .*412/],
  [
    'list-tag-of-codes',
    'lots/requests/modified-list-by-update[all]',
    /^listLots keeps an ETag although what it stands for/,
  ],
  ['others-remove-private', 'lots/access/private[remove]', /^removeLot serves a second credential/],
  ['change-in-any-case', 'lots/refusals/odd-change[update-another-case]', /^updateLot accepts/],
  ['change-narrows', 'lots/sequences/changed-values[update-digits]', /^`weight` is not as it was sent in .*updateLot/],
  ['nulls-kept-inside', 'lots/changes/merge-into-nothing[contact]', /^`contact\/phone` of a record is null/],
  ['upgrade-fails', 'lots/requests/upgrade-with-body', /^createLot rejects with 400 what the contract allows/],
];

test.each(inTurn(FOUND, 4))('%s is found by %s', async (defect, only, headline) => {
  const found = await headlines([defect], [only]);
  expect(found[0]).toMatch(headline);
  // A tag that stays shows in the header field and in the status.
  expect(found.length).toBe(defect === 'list-tag-of-codes' ? 2 : 1);
});

test('without a second credential nothing is asked with one, and nothing is told', async () => {
  const { spec } = await startLots({ ann: KEYS.apiKey, ben: KEYS.credentialB }, [], makeFolder);
  const listSecond = (options: { credentialB?: string }): string[] =>
    planRun({ spec, ...options }).scenarios.flatMap(({ id }) => (id.includes('/access/') ? [id] : []));
  expect(listSecond({})).toEqual([]);
  expect(listSecond({ credentialB: KEYS.credentialB }).length).toBeGreaterThan(8);
  const { gaps } = await run([], ['lots/records/create'], { credentialB: undefined });
  expect(gaps.filter(({ id }) => id.endsWith('second-key'))).toEqual([]);
});

test('a second credential that the service rejects is said to be that', async () => {
  const { scenarios } = await run([], ['lots/access/*'], { credentialB: 'nobody-has-this-key' });
  const reasons = scenarios.filter(({ id }) => id.includes('/access/')).map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(
    new Set(['the service rejects the second credential (--credential-b) for its list, too']),
  );
});

test('a second credential that is the first is refused', () =>
  expect(run([], ['lots/access/*'], { credentialB: KEYS.apiKey })).rejects.toThrow(
    "credentialB is the same as the other credential; a second one has to be somebody else's.",
  ));
