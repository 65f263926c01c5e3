import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listKnown, markKnown, readBaseline, summarizeBaseline } from '../../../../src/conformance/engine/baseline.js';
import type { BaselineLine } from '../../../../src/conformance/model/result.js';
import { writeBaseline } from '../../../../src/conformance/product/profile-and-baseline.js';
import { makeFile } from '../../../support/folder.js';
import { makeDeviating, makeFinding, makeResult, makeScenario } from '../../../report/results.js';

const line: BaselineLine = {
  scenario: 'a/a',
  operation: 'listPets',
  check: 'records',
  rule: 'filter',
  at: 'body/*/status',
  place: { file: 'known.yaml', line: 3 },
  reason: 'ticket 12',
  expires: '2030-12-31',
};

function know(today: string, more: Partial<BaselineLine> = {}): ReturnType<typeof listKnown> {
  const whole = { ...line, ...more };
  return listKnown({ entries: [{ line: whole, shows: [whole] }] }, today);
}

const deviating = makeDeviating('a/a', [makeFinding({ at: 'body/17/status' })]);

describe('a known deviation', () => {
  test.each([
    ['2030-12-30', '2030-12-31', 'known'],
    ['2030-12-31', '2030-12-31', 'known'],
    ['2031-01-01', '2030-12-31', 'deviated'],
    ['2999-01-01', 'never', 'known'],
  ])('on %s of what expires %s is %s', (today, expires, verdict) => {
    expect(markKnown(deviating, know(today, { expires })).verdict).toBe(verdict);
  });

  test.each<[string, Partial<BaselineLine>]>([
    ['operation', { operation: 'getPet' }],
    ['check', { check: 'body' }],
    ['rule', { rule: 'other' }],
    ['place', { at: 'body/*/name' }],
  ])('of another %s is not this one', (_, more) => {
    expect(markKnown(deviating, know('2030-01-01', more))).toEqual(deviating);
  });

  test('is not the whole scenario: what else deviates in it still does', () => {
    const both = makeDeviating('a/a', [makeFinding(), makeFinding({ rule: 'other' })]);
    const { verdict, steps } = markKnown(both, know('2030-01-01'));
    const states = steps[0]?.exchanges[0]?.findings.map(({ baseline }) => baseline?.state);
    expect([verdict, states]).toEqual(['deviated', ['known', undefined]]);
  });

  test('of a status is that of the two statuses', () => {
    const wrong = (actual: string) =>
      makeDeviating('a/a', [makeFinding({ check: 'status', rule: 'expected', at: 'status', expected: '200', actual })]);
    const expected = { check: 'status', rule: 'expected', at: 'status', expected: '200', actual: '404' };
    const known = know('2030-01-01', expected);
    expect(['404', '400'].map((actual) => markKnown(wrong(actual), known).verdict)).toEqual(['known', 'deviated']);
  });
});

describe('a line of the baseline', () => {
  test.each([
    ['passed', 'fixed'],
    ['observed', 'fixed'],
    ['inconclusive', 'unseen'],
    ['skipped', 'unseen'],
    ['deviated', 'unseen'],
    ['known', 'unseen'],
  ] as const)('whose scenario %s without it is %s', (verdict, state) => {
    const summary = summarizeBaseline('known.yaml', know('2030-01-01'), [makeScenario('a/a', verdict)]);
    expect(summary[state].map(({ scenario }) => scenario)).toEqual(['a/a']);
  });

  test('whose scenario was not run is unseen', () =>
    expect(summarizeBaseline('known.yaml', know('2030-01-01'), []).unseen).toHaveLength(1));

  test.each([
    ['2030-01-01', 'known'],
    ['2031-01-01', 'expired'],
  ] as const)('that is seen on %s is %s', (today, state) => {
    const known = know(today);
    expect(summarizeBaseline('known.yaml', known, [markKnown(deviating, known)])[state]).toHaveLength(1);
  });
});

describe('a baseline that another release wrote', () => {
  const text = `known:
  - scenario: open-points/head
    shows: [{ operation: listPets, check: records, rule: status, at: body/*/status }]
    reason: ticket 12 # Ann knows more
    expires: '2030-12-31'
`;
  const write = (written: string): string => makeFile('known.yaml', written);
  const CURRENT = ['pets/records/create', 'pets/lists/limit[1]', 'pets/lists/limit[2]', 'pets/service/head'];
  const gone = (id: string): string => `there is no scenario ${id} (any more); remove its entry`;

  test('is read though a scenario is gone, and says what to remove', () => {
    const ids = ['pets/lists/limit[64]', 'pets/records/create', 'limits/page'];
    const entries = ids.map((id) => text.replace('known:\n', '').replace('open-points/head', id));
    const { entries: read, notes } = readBaseline(write(`known:\n${entries.join('')}`), CURRENT);
    expect(read).toHaveLength(3);
    expect(notes).toEqual([
      expect.stringMatching(/known\.yaml:2:5: .*; did you mean pets\/lists\/limit\[1\]\?$/),
      expect.stringContaining(gone('limits/page')),
    ]);
    expect(notes[0]).toContain(gone('pets/lists/limit[64]'));
  });

  test('knows its problem still, which is not fixed while nothing tests it', () => {
    const known = listKnown(readBaseline(write(text.replace('open-points/head', 'x/y')), ['a/a']), '2030-01-01');
    expect(markKnown(makeDeviating('a/a', [makeFinding({ rule: 'status' })]), known).verdict).toBe('known');
    expect(summarizeBaseline('', known, [makeScenario('a/a', 'passed')])).toMatchObject({ unseen: [{}], fixed: [] });
  });
});

describe('a problem that is written is one entry, whatever shows it', () => {
  const wrong = { check: 'record', rule: 'status', expected: '"sold", as it was sent', actual: '"pending"' };
  const showing = ['a/a', 'a/b', 'a/c'].map((id) =>
    makeDeviating(id, [makeFinding(wrong), makeFinding({ ...wrong, check: 'own-records' })]),
  );
  const { text, added } = writeBaseline(makeResult(showing), undefined);
  const path = makeFile('known.yaml', text);
  const written = readBaseline(path, ['a/a', 'a/b', 'a/c', 'a/d']);

  test('with its headline, the scenario that is about it, and all that shows of it', () => {
    const shows = ['record', 'own-records'].map((check) => ({
      operation: 'listPets',
      check,
      rule: 'status',
      at: 'body/*/status',
    }));
    expect(added).toBe(1);
    expect(written.entries).toMatchObject([{ line: { scenario: 'a/a', place: expect.anything() }, shows }]);
    expect(text).toContain('`status` is not as it was sent in responses of listPets: "pending" instead of "sold"');
  });

  test('is known in any scenario, one that it was not seen in too, and another problem is not', () => {
    const known = listKnown(written, '2030-01-01');
    const others = [wrong, { ...wrong, rule: 'other' }].map((each) => makeDeviating('a/d', [makeFinding(each)]));
    expect([...showing, ...others].map((each) => markKnown(each, known).verdict)).toEqual([
      ...Array.from({ length: 4 }, () => 'known'),
      'deviated',
    ]);
    const marked = showing.map((each) => markKnown(each, known));
    expect(summarizeBaseline('known.yaml', known, marked)).toMatchObject({ known: [{ scenario: 'a/a' }], fixed: [] });
  });

  test('is gone when the scenario that is about it passes, and its entry goes with it', () => {
    const known = listKnown(written, '2030-01-01');
    const passed = [makeScenario('a/a', 'passed')];
    const baseline = summarizeBaseline('known.yaml', known, passed);
    expect(baseline.fixed.map(({ scenario }) => scenario)).toEqual(['a/a']);
    const after = writeBaseline(makeResult(passed, { baseline }), text);
    expect([after.removed, after.text.includes('known: []')]).toEqual([1, true]);
  });

  test('stays as people wrote it while the run says nothing of it', () => {
    const edited = text.replace(/reason: .*/, 'reason: ticket 12 # Ann knows more');
    expect(writeBaseline(makeResult([]), edited)).toEqual({ text: edited, kept: 1, added: 0, removed: 0 });
  });

  test('whose check does not exist is refused with its line', () => {
    writeFileSync(path, text.replace('check: own-records', 'check: own-record'));
    expect(() => readBaseline(path, ['a/a'])).toThrow('there is no check own-record; did you mean own-records?');
  });
});
