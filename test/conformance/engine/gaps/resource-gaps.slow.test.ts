import { expect, test } from 'vitest';
import { loadContract } from '../../../../src/contract/contract.js';
import { readGapsOf } from '../../../../src/conformance/resources/resource-under-test.js';
import { noteChoices } from '../../../../src/conformance/engine/gaps.js';
import { planRun } from '../../../../src/conformance/product/plan-run.js';
import { packageFile } from '../../../../src/package-files.js';
import { summarize } from '../../../../src/report/summarize.js';
import { runTickets, TICKETS } from '../../support/tickets.js';

const contract = loadContract(TICKETS);
const { asked } = readGapsOf(contract);

test('every gap of a resource is observed, by a scenario or by an observer of its own', () => {
  const own = planRun({ spec: TICKETS, credentialB: 'the-key-of-ben' }).scenarios.flatMap(({ gap }) => gap ?? []);
  const byObservers = ['list-order', 'paging-headers', 'record-fields', 'sort-direction'].map((id) => `tickets.${id}`);
  const ofTickets = asked.filter(({ of }) => of !== undefined).map(({ id }) => id);
  expect(ofTickets.filter((id) => !own.includes(id)).toSorted()).toEqual(byObservers);
});

test('where scenarios observe a gap of a resource, they have an outcome for each of its choices', () => {
  const { scenarios } = planRun({ spec: TICKETS });
  const missing = asked.flatMap(({ id, choices }) => {
    const steps = scenarios.filter(({ gap }) => gap === id).flatMap((each) => each.steps);
    const named = steps.flatMap(({ outcomes }) => outcomes ?? []).map(({ choice }) => choice);
    return steps.length === 0
      ? []
      : Object.keys(choices)
          .filter((choice) => !named.includes(choice))
          .map((choice) => `${id}: ${choice}`);
  });
  expect(missing).toEqual([]);
});

test('what a profile makes the mock do for a resource, the runner sees', async () => {
  const gaps = Object.fromEntries([
    ...asked
      .filter(({ of, kind, id }) => of !== undefined && kind === 'choice' && !PAGES.includes(id))
      .map(({ id, choices, mock }) => [id, Object.keys(choices).find((choice) => choice !== mock)]),
    ['tickets.text-length-limit', 40],
    ['tickets.text-characters', ['markup']],
    ['tickets.limit-forms', ['zeros']],
    ['tickets.key-forms', ['zeros']],
  ]) as Record<string, string>;
  const result = await runTickets(gaps);
  const seen = Object.fromEntries(result.gaps.map(({ id, answer }) => [id, answer]));
  expect(seen).toMatchObject(gaps);
  expect(result.summary).toMatchObject({ problems: 0, deviated: 0 });
  expect(summarize(result)).toMatch(/ · \d+ tickets created · /);
  // The petstore's own are not those of this contract.
  expect(Object.keys(seen)).not.toContain('sunset-header');
});

/** Shorter pages hide what other gaps would show. */
const PAGES = ['tickets.short-pages'];

test('short pages of a resource are worth a look, and a deviation only when the run is strict', async () => {
  const gaps = { 'tickets.short-pages': 'shorter' };
  const only = ['tickets/gaps/short-pages*'];
  const lenient = await runTickets(gaps, { only });
  expect(lenient.summary.deviated).toBe(0);
  expect(noteChoices(lenient.gaps, false)).toEqual([
    expect.stringContaining('warning: tickets.short-pages is shorter'),
  ]);
  expect((await runTickets(gaps, { only, strict: true })).summary.deviated).toBe(1);
});

test('what a profile pins of every resource is drift where one of them does otherwise', async () => {
  const profile = packageFile('test/conformance/support/pinned.profile.yaml');
  const { drift } = await runTickets(
    { 'tickets.remove-gone': 'gone-410' },
    { only: ['tickets/gaps/remove-gone'], profile },
  );
  expect(drift?.changes).toEqual([{ id: 'tickets.remove-gone', before: 'not-found', now: 'gone-410' }]);
});
