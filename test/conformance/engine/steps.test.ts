// What a step's exchanges come to: which are shown, what is kept of them, and what is expected of a target here.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConformanceSettings } from '../../../src/cli/conformance/settings.js';
import type { CheckOutcome } from '../../../src/conformance/checks/check.js';
import { reportFlaky, type StepOutcome } from '../../../src/conformance/engine/run-exchange.js';
import { createEvidenceKeeper } from '../../../src/conformance/engine/baseline.js';
import { joinSteps, walkPages } from '../../../src/conformance/engine/run-scenario.js';
import type { Run } from '../../../src/conformance/engine/run.js';
import type { Scope } from '../../../src/conformance/http/template.js';
import { runConformance, type ConformanceOptions, type RunResult } from '../../../src/conformance/index.js';
import type { Look } from '../../../src/conformance/ledger/record-ledger.js';
import type { PageWalk, RecordsRule } from '../../../src/conformance/model/exchange.js';
import type { Step } from '../../../src/conformance/model/scenario.js';
import { reportFormats } from '../../../src/report/index.js';
import type { MutantId } from '../../mutation/mutants/index.js';
import { makeExchange, makeScenario } from '../../report/results.js';
import { makeFile } from '../../support/folder.js';
import { shippedContract } from '../../support/shipped.js';
import { listTold, runPets } from '../support/ask.js';
import { describeThings, serveThings, type Guard } from '../support/guarded-things.js';
import { headlines } from '../problems/answers.js';

test('steps that were gone through again stand once, in the order of the first go, with what they ask for', () => {
  const first = [
    { id: 'create', exchanges: [] },
    { id: 'get', asks: 'absent' as const, exchanges: [] },
  ];
  const joined = joinSteps([...first, { id: 'get', exchanges: [] }, { id: 'list', exchanges: [] }], () => []);
  expect(joined).toEqual([...first, { id: 'list', exchanges: [] }]);
});

test.each<[string, RecordsRule['total'], (number | undefined)[][]]>([
  ['its body, where the total is judged', { at: '/total' }, [[], [4], [4, 5]]],
  ['a header field, where the total is judged', { header: 'X-Total-Count' }, [[], [4], [4, 5]]],
  ['none, where no total is judged', undefined, [[], [undefined], [undefined, undefined]]],
])('each page knows the totals that those before it had in %s', (_, total, known) => {
  const pages: PageWalk = { kind: 'offset', parameter: 'offset', first: 0, at: '/data', length: 2, atMost: 9 };
  const step = { id: 'list', pages, expect: { records: { total } } } as unknown as Step;
  const outcomes: StepOutcome[] = [];
  const asked: unknown[] = [];
  for (const page of walkPages(step, {} as Scope, outcomes)) {
    const at = asked.push(page.totals) - 1;
    const said = [4, 5][at];
    const data = said === undefined ? [] : [{ id: 2 * at }, { id: 2 * at + 1 }];
    const response = { status: 200, headers: { 'x-total-count': String(said) }, body: { total: said, data } };
    outcomes.push({ record: { response } } as unknown as StepOutcome);
  }
  expect(asked).toEqual(known);
});

const wire = { method: 'GET', target: '/v1/pets?limit=100', headers: {}, body: undefined };
const answer = { kind: 'answered', status: 200, headers: {}, bytes: Buffer.from('[]'), durationMs: 1 } as const;
const look: Look = {
  operationId: 'listPets',
  kind: 'list',
  wire,
  request: 'whole',
  path: '/pets',
  of: '/pets',
  shows: [],
  answer,
  sentAt: 1,
  answeredAt: 2,
};
const { request } = makeExchange();
const exchanges = [makeExchange({ request: { ...request, path: '/pets?limit=100' } })];
const passed = makeScenario('list/every-time[first]', 'passed', {
  steps: [{ id: 'longest', asks: 'laterPage', exchanges }],
});

test.each<[number, string[], string[]]>([
  [1, [expect.stringMatching(/^listPets once lacked records .* \(1 of 71 responses\)/) as string], []],
  [2, [], ['Flaky: listPets returns 2 of 71 lists without records that exist']],
])(
  'what a run met once is a note, and what it met twice a problem of the scenario that asked: %i',
  (count, noted, told) => {
    const notes: string[] = [];
    const run = {
      note: (text: string) => notes.push(text),
      contract: shippedContract,
      prepareOptions: { basePath: '/v1', contract: shippedContract },
      redact: (text: string) => text,
      known: new Map(),
    } as unknown as Run;
    const firm = Array.from({ length: count }, () => look);
    const unsteady = { operationId: 'listPets', kind: 'list', wrong: firm, firm, of: 71 } as const;
    const [scenario, ...others] = reportFlaky([unsteady], [passed], run);
    expect(others).toEqual([]);
    expect([scenario?.id, scenario?.steps[0]?.asks]).toEqual([passed.id, 'laterPage']);
    expect(scenario?.verdict).toBe(count === 1 ? 'passed' : 'deviated');
    expect(notes).toEqual(noted);
    expect(scenario && headlines(scenario)).toEqual(told);
  },
);

const finding = (at: string, rule = 'type', severity?: 'information'): CheckOutcome => ({
  rule,
  at,
  expected: 'an integer',
  actual: 'a text',
  ...(severity === undefined ? {} : { severity }),
});
const many = (count: number, field = 'id'): CheckOutcome[] =>
  Array.from({ length: count }, (_, index) => finding(`body/${index}/${field}`));
/** What is kept of an answer, as `place: number of the rest`. */
const keep = (outcomes: CheckOutcome[], keeper = createEvidenceKeeper()): string[] =>
  keeper.limit([{ check: 'body', outcomes }]).map((each) => `${each.finding.at}: ${each.more}`);

test('of what is alike in one answer a few are kept, with the number of the rest', () => {
  const keeper = createEvidenceKeeper();
  expect(keep([...many(5000), ...many(2, 'name')], keeper)).toEqual([
    'body/0/id: 0',
    'body/1/id: 0',
    'body/2/id: 4997',
    'body/0/name: 0',
    'body/1/name: 0',
  ]);
  expect(keeper.leftOut()).toBe(0);
});

test('what is kept of one field of an item is kept of all its fields', () => {
  const outcomes = Array.from({ length: 9 }, (_, index) => {
    const fields = index < 5 ? ['name'] : ['name', 'kind'];
    return fields.map((field) => finding(`body/${index}/${field}`, field));
  });
  const names = [0, 1, 2, 5, 6, 7].map((index) => `body/${index}/name: ${{ 2: 2, 7: 1 }[index] ?? 0}`);
  expect(keep(outcomes.flat())).toEqual([...names, 'body/5/kind: 0', 'body/6/kind: 0', 'body/7/kind: 1']);
});

test('of many kinds in one answer some are kept, deviations before all', () => {
  const keeper = createEvidenceKeeper();
  const places = Array.from({ length: 500 }, (_, index) => `body/x${'y'.repeat(index)}`);
  const outcomes = places.map((at) => finding(at, 'extra', 'information'));
  const kept = keeper.limit([
    { check: 'extra-fields', outcomes },
    { check: 'body', outcomes: many(1) },
  ]);
  expect(kept[0]).toMatchObject({ check: 'body' });
  expect(kept.length + keeper.leftOut()).toBe(501);
  expect(kept.length).toBeLessThan(50);
});

test('each answer that deviates keeps a deviation, however many there were before', () => {
  const keeper = createEvidenceKeeper();
  const outcomes = ['id', 'name', 'categoryId', 'status', 'a', 'b', 'c', 'd'].flatMap((field) => many(9, field));
  for (let count = 0; count < 1000; count++) keep(outcomes, keeper);
  expect(keep(outcomes, keeper)).toHaveLength(1);
});

test('a text is kept once, and of many long ones little is shown', () => {
  const keeper = createEvidenceKeeper();
  for (let times = 0; times < 2000; times++) keeper.keep('x'.repeat(16 * 1024));
  expect(keeper.mostShown()).toBe(16 * 1024);
  for (let times = 0; times < 1025; times++) keeper.keep(`${times}`.padEnd(16 * 1024));
  expect(keeper.mostShown()).toBe(1024);
});

test.each<[MutantId, MutantId, string, RegExp]>([
  ['body-with-trailing-comma', 'default-limit-none', 'lists/default-limit', /^listPets returns more records than its/],
  ['body-gzip-unlabelled', 'default-limit-none', 'lists/default-limit', /^listPets returns more records than its/],
  [
    'body-after-guard',
    'list-status-upper-case',
    'lists/default-limit',
    /^`status` of a record is text \("AVAILABLE"\)/,
  ],
  ['body-with-trailing-comma', 'created-sold-fetched-available', 'records/*', /^`status` is not as it was sent in/],
])(
  'what is wrong with an answer besides that it is no JSON is told as well: %s, %s',
  async (form, mutant, only, told) => {
    const found = listTold(await runPets([form, mutant], { only: [`pets/${only}`] }));
    expect(found).toHaveLength(2);
    expect(found.filter((each) => told.test(each))).toHaveLength(1);
    expect(found.filter((each) => each.includes('not JSON'))).toHaveLength(1);
  },
);

const spec = describeThings({ schemes: {} });

async function runThings(guard: Guard, options: Partial<ConformanceOptions>): Promise<RunResult> {
  const { url: target } = await serveThings(guard);
  return runConformance({ target, spec, apiKey: '', settleMs: 0, only: ['things/records/*'], ...options });
}

/** Answers the list so. */
const listing =
  (body: unknown, headers = {}): Guard =>
  ({ method, path }) =>
    method === 'GET' && path === '/things' ? { status: 200, body, headers } : undefined;
const isDown: Guard = ({ method, path }) =>
  method === 'GET' && path.startsWith('/things/') ? { status: 503, body: { message: 'down' } } : undefined;
const LIST = ['things/gaps/unknown-parameters'];

test('a status that is fine here is no problem, and each report says so with the reason', async () => {
  expect((await runThings(isDown, {})).summary.problems).toBeGreaterThan(0);
  const reason = 'The stub is down at night.';
  const result = await runThings(isDown, { expect: [{ operation: 'GET /things/{id}', status: [503], reason }] });
  expect(result.problems).toEqual([]);
  expect(result.notes[0]).toMatch(
    /^expected at GET \/things\/\{id\}: status 503 is fine \(The stub is down at night\); met \d+ times$/,
  );
  for (const format of ['pretty', 'json', 'html', 'markdown'])
    expect(reportFormats[format]?.write(result, { color: false, quiet: false })).toContain('The stub is down at night');
});

test('what is expected at one operation is a problem at another', async () => {
  const result = await runThings(isDown, { expect: [{ path: '/things', status: '5XX', reason: 'Elsewhere.' }] });
  expect(result.problems.length).toBeGreaterThan(0);
  expect(result.notes[0]).toBe('expected at /things: status 5XX is fine (Elsewhere); not met in this run');
});

test('a check that is off at an operation finds nothing there', async () => {
  const isText = listing([], { 'content-type': 'text/html' });
  const found = (await runThings(isText, { only: LIST })).problems;
  expect(found.map(({ cause }) => cause.check)).toEqual(['content-type']);
  const rule = { operation: 'listThings', off: 'content-type', reason: 'An old proxy.' };
  expect((await runThings(isText, { only: LIST, expect: [rule] })).problems).toEqual([]);
});

test('a format that is only noted fails nothing', async () => {
  const text = readFileSync(spec, 'utf8').replaceAll(
    '"size":{',
    '"at":{"type":"string","format":"date-time"},"size":{',
  );
  const options = { only: LIST, spec: makeFile('dated.json', text) };
  const isDated = listing([{ id: 1, name: 'a', at: 'today' }]);
  expect((await runThings(isDated, options)).problems[0]?.cause.rule).toBe('format');
  const rule = { formats: ['date-time'], reason: 'Legacy dates.' };
  const { problems, notes } = await runThings(isDated, { ...options, expect: [rule] });
  expect(problems).toEqual([]);
  expect(notes[0]).toMatch(/^expected at every operation: the format date-time is only noted \(Legacy dates\); met/);
});

test.each<[object, string]>([
  [{ status: 503 }, 'expect[0] lacks a reason, which every report shows.'],
  [{ operation: 'listThings', reason: 'x' }, 'expect[0] has none of status, off and formats.'],
  [{ operaton: 'listThings', status: 503, reason: 'x' }, 'expect[0] has operaton, which it cannot have; did you mean'],
  [
    { operation: 'listThing', status: 503, reason: 'x' },
    'expect[0] names listThing, which is not an operation of the contract; did you mean listThings?',
  ],
  [{ off: ['bodyy'], reason: 'x' }, 'expect[0].off names the check bodyy, which does not exist; did you mean body?'],
])('%j is refused', async (rule, message) => {
  const running = runConformance({ target: 'http://127.0.0.1:9', spec, apiKey: '', expect: [rule as never] });
  await expect(running).rejects.toMatchObject({
    code: 'bad-option',
    message: expect.stringContaining(message) as string,
  });
});

test('the config file has it', () => {
  const config = 'target: http://127.0.0.1:9\nexpect:\n  - { path: /things, status: [404, 5XX], reason: Not yet. }\n';
  const { options } = readConformanceSettings(['--config', makeFile('c.yaml', config)], {}, '1.0.0');
  expect(options.expect).toEqual([{ path: '/things', status: [404, '5XX'], reason: 'Not yet.' }]);
});
