import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConformanceSettings } from '../../../src/cli/conformance/settings.js';
import type { CheckOutcome } from '../../../src/conformance/checks/check.js';
import { reportFlaky } from '../../../src/conformance/engine/exchange-result.js';
import { createEvidenceKeeper } from '../../../src/conformance/engine/findings.js';
import type { StepOutcome } from '../../../src/conformance/engine/run-exchange.js';
import { joinSteps } from '../../../src/conformance/engine/run-scenario.js';
import { walkPages } from '../../../src/conformance/engine/run-step.js';
import type { Run } from '../../../src/conformance/engine/run.js';
import type { Scope } from '../../../src/conformance/http/template.js';
import { type ConformanceOptions, runConformance, type RunResult } from '../../../src/conformance/index.js';
import type { Look } from '../../../src/conformance/ledger/record-ledger.js';
import type { AskedPage, PageWalk, RecordsRule } from '../../../src/conformance/model/records.js';
import type { ScenarioResult } from '../../../src/conformance/model/result.js';
import type { Step } from '../../../src/conformance/model/scenario.js';
import { findProblems } from '../../../src/conformance/problems/problems.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { reportFormats } from '../../../src/report/index.js';
import type { MutantId } from '../../mutation/mutants/index.js';
import { startMutationServer } from '../../mutation/server/start-server.js';
import { makeFolder } from '../../support/folder.js';
import { shippedContract } from '../../support/shipped.js';
import { describeThings, type Guard, serveThings } from '../support/guarded-things.js';

test('steps that were gone through again stand once, in the order of the first go, with what they ask for', () => {
  const first = [
    { id: 'create', exchanges: [] },
    { id: 'get', asks: 'absent' as const, exchanges: [] },
  ];
  const joined = joinSteps([...first, { id: 'get', exchanges: [] }, { id: 'list', exchanges: [] }], () => []);
  expect(joined).toEqual([...first, { id: 'list', exchanges: [] }]);
});

const walk: PageWalk = { kind: 'offset', parameter: 'offset', first: 0, at: '/data', length: 2, atMost: 9 };

/** What each page is asked with where the service says these totals, one on each page of two records. */
function walkThrough(total: RecordsRule['total'], totals: readonly number[]): AskedPage[] {
  const step = { id: 'list', pages: walk, expect: { records: { total } } } as unknown as Step;
  const outcomes: StepOutcome[] = [];
  const asked: AskedPage[] = [];
  for (const page of walkPages(step, {} as Scope, outcomes)) {
    const at = asked.push(page) - 1;
    const data = totals[at] === undefined ? [] : [{ id: 2 * at }, { id: 2 * at + 1 }];
    const response = {
      status: 200,
      headers: { 'x-total-count': String(totals[at]) },
      body: { total: totals[at], data },
    };
    outcomes.push({ record: { response } } as unknown as StepOutcome);
  }
  return asked;
}

test.each<[string, NonNullable<RecordsRule['total']>]>([
  ['its body', { at: '/total' }],
  ['a header field', { header: 'X-Total-Count' }],
])('each page knows the totals that those before it had in %s, where the total is judged', (_, total) => {
  expect(walkThrough(total, [4, 5]).map((page) => page.totals)).toEqual([[], [4], [4, 5]]);
});

test('where no total is judged, none is known', () =>
  expect(walkThrough(undefined, [4, 5]).map((page) => page.totals)).toEqual([[], [undefined], [undefined, undefined]]));

const run = {
  contract: shippedContract,
  prepareOptions: { basePath: '/v1', contract: shippedContract },
  redact: (text: string) => text,
  known: new Map(),
} as unknown as Run;

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

const passed: ScenarioResult = {
  id: 'list/every-time[first]',
  title: 'a list conforms to the contract every time it is read',
  basis: { text: '#/paths/~1pets/get' },
  verdict: 'passed',
  durationMs: 1,
  steps: [
    {
      id: 'longest',
      asks: 'laterPage',
      exchanges: [
        {
          operationId: 'listPets',
          request: { method: 'GET', path: '/pets?limit=100', auth: 'valid', headers: {} },
          response: { status: 200, headers: {}, body: '[{}]' },
          durationMs: 1,
          findings: [],
        },
      ],
    },
  ],
};

function tell(count: number): { told: ScenarioResult[]; notes: string[] } {
  const firm = Array.from({ length: count }, () => look);
  const notes = new Map<string, number>();
  const unsteady = { operationId: 'listPets', kind: 'list', wrong: firm, firm, of: 71 } as const;
  return { told: reportFlaky([unsteady], [passed], { run, notes }), notes: [...notes.keys()] };
}

test('what a run met once alone is a note, and changes no verdict', () => {
  const { told, notes } = tell(1);
  expect(told).toEqual([passed]);
  expect(notes).toEqual([expect.stringMatching(/^listPets once lacked records .* \(1 of 71 responses\)/)]);
});

test('what it met twice is a problem, in the scenario that asked for it', () => {
  const { told, notes } = tell(2);
  expect(notes).toEqual([]);
  expect(told.map(({ id, verdict, steps }) => [id, verdict, steps[0]?.asks])).toEqual([
    [passed.id, 'deviated', 'laterPage'],
  ]);
  expect(findProblems({ scenarios: told }).map(({ headline }) => headline)).toEqual([
    'Flaky: listPets returns 2 of 71 lists without records that exist',
  ]);
});

const finding = (at: string, rule = 'type', severity?: 'information'): CheckOutcome => ({
  rule,
  at,
  expected: 'an integer',
  actual: 'a text',
  ...(severity === undefined ? {} : { severity }),
});
const many = (count: number, field = 'id'): CheckOutcome[] =>
  Array.from({ length: count }, (_, index) => finding(`body/${index}/${field}`));

test('of what is alike in one answer a few are kept, with the number of the rest', () => {
  const keeper = createEvidenceKeeper();
  const kept = keeper.limit([{ check: 'body', outcomes: [...many(5000), ...many(2, 'name')] }]);
  expect(kept.map(({ finding: { at }, more }) => [at, more])).toEqual([
    ['body/0/id', 0],
    ['body/1/id', 0],
    ['body/2/id', 4997],
    ['body/0/name', 0],
    ['body/1/name', 0],
  ]);
  expect(keeper.leftOut()).toBe(0);
});

test('what is kept of one field of an item is kept of all its fields', () => {
  const rule = (at: string): CheckOutcome => finding(at, at.slice(-4));
  const outcomes = Array.from({ length: 9 }, (_, index) => [
    rule(`body/${index}/name`),
    ...(index < 5 ? [] : [rule(`body/${index}/kind`)]),
  ]).flat();
  const kept = createEvidenceKeeper().limit([{ check: 'same-pet', outcomes }]);
  expect(kept.map(({ finding: { at }, more }) => [at, more])).toEqual([
    ['body/0/name', 0],
    ['body/1/name', 0],
    ['body/2/name', 2],
    ['body/5/name', 0],
    ['body/6/name', 0],
    ['body/7/name', 1],
    ['body/5/kind', 0],
    ['body/6/kind', 0],
    ['body/7/kind', 1],
  ]);
});

test('of many kinds in one answer some are kept, deviations before all', () => {
  const keeper = createEvidenceKeeper();
  const notes = Array.from({ length: 500 }, (_, index) =>
    finding(`body/x${'y'.repeat(index)}`, 'extra', 'information'),
  );
  const kept = keeper.limit([
    { check: 'extra-fields', outcomes: notes },
    { check: 'body', outcomes: many(1) },
  ]);
  expect(kept[0]).toMatchObject({ check: 'body' });
  expect(kept.length + keeper.leftOut()).toBe(501);
  expect(kept.length).toBeLessThan(50);
});

test('each answer that deviates keeps a deviation, however many there were before', () => {
  const keeper = createEvidenceKeeper();
  const outcomes = ['id', 'name', 'categoryId', 'status', 'a', 'b', 'c', 'd'].flatMap((field) => many(9, field));
  for (let answer = 0; answer < 1000; answer++) keeper.limit([{ check: 'body', outcomes }]);
  expect(keeper.limit([{ check: 'body', outcomes }])).toHaveLength(1);
});

test('a text is kept once, and of many long ones little is shown', () => {
  const keeper = createEvidenceKeeper();
  expect(keeper.mostShown()).toBe(16 * 1024);
  for (let times = 0; times < 2000; times++) keeper.keep('x'.repeat(16 * 1024));
  expect(keeper.mostShown()).toBe(16 * 1024);
  for (let times = 0; times < 1025; times++) keeper.keep(`${times}`.padEnd(16 * 1024));
  expect(keeper.mostShown()).toBe(1024);
});

test.each([
  [
    'body-with-trailing-comma',
    'default-limit-none',
    'pets/lists/default-limit',
    /^listPets returns more records than its limit/,
  ],
  [
    'body-gzip-unlabelled',
    'default-limit-none',
    'pets/lists/default-limit',
    /^listPets returns more records than its limit/,
  ],
  [
    'body-after-guard',
    'list-status-upper-case',
    'pets/lists/default-limit',
    /^`status` of a record is text \("AVAILABLE"\)/,
  ],
  [
    'body-with-trailing-comma',
    'created-sold-fetched-available',
    'pets/records/*',
    /^`status` is not as it was sent in responses of getPet/,
  ],
] as const)(
  'what is wrong with an answer besides that it is no JSON is told as well: %s, %s',
  async (...[form, mutant, only, headline]) => {
    const mutants: MutantId[] = [form, mutant];
    const server = await startMutationServer({ mutants });
    const { problems } = await runConformance({
      target: server.url,
      apiKey: server.apiKey,
      settleMs: 0,
      only: [only],
    }).finally(() => server.close());
    expect(problems).toHaveLength(2);
    expect(problems.filter((problem) => headline.test(problem.headline))).toHaveLength(1);
    expect(problems.filter((problem) => problem.headline.includes('not JSON'))).toHaveLength(1);
  },
);

const spec = describeThings({ schemes: {} });

async function run(guard: Guard, options: Partial<ConformanceOptions>, own = spec): Promise<RunResult> {
  const things = await serveThings(guard);
  const only = ['things/records/*'];
  return runConformance({ target: things.url, spec: own, apiKey: '', settleMs: 0, only, ...options });
}

const isDown: Guard = ({ method, path }) =>
  method === 'GET' && path.startsWith('/things/') ? { status: 503, body: { message: 'down' } } : undefined;

test('a status that is fine here is no problem, and each report says so with the reason', async () => {
  expect((await run(isDown, {})).summary.problems).toBeGreaterThan(0);
  const reason = 'The stub is down at night.';
  const result = await run(isDown, { expect: [{ operation: 'GET /things/{id}', status: [503], reason }] });
  expect(result.problems).toEqual([]);
  const [note = ''] = result.notes;
  expect(note).toMatch(
    /^expected at GET \/things\/\{id\}: status 503 is fine \(The stub is down at night\); met \d+ times$/,
  );
  const texts = ['pretty', 'json', 'html', 'markdown'].map(
    (name) => reportFormats[name]?.write(result, { color: false, quiet: false }) ?? '',
  );
  expect(texts.filter((text) => !text.includes('The stub is down at night'))).toEqual([]);
});

test('what is expected at one operation is a problem at another', async () => {
  const result = await run(isDown, { expect: [{ path: '/things', status: '5XX', reason: 'Elsewhere.' }] });
  expect(result.problems.length).toBeGreaterThan(0);
  expect(result.notes[0]).toBe('expected at /things: status 5XX is fine (Elsewhere); not met in this run');
});

test('a check that is off at an operation finds nothing there', async () => {
  const isText: Guard = ({ method, path }) =>
    method === 'GET' && path === '/things'
      ? { status: 200, body: [], headers: { 'content-type': 'text/html' } }
      : undefined;
  const only = ['things/gaps/unknown-parameters'];
  expect((await run(isText, { only })).problems.map(({ cause }) => cause.check)).toEqual(['content-type']);
  const rule = { operation: 'listThings', off: 'content-type', reason: 'An old proxy.' };
  expect((await run(isText, { only, expect: [rule] })).problems).toEqual([]);
});

test('a format that is only noted fails nothing', async () => {
  const document = JSON.parse(readFileSync(spec, 'utf8')) as {
    components: { schemas: { Thing: { properties: Record<string, object> } } };
  };
  document.components.schemas.Thing.properties['at'] = { type: 'string', format: 'date-time' };
  const dated = `${makeFolder({ 'dated.json': JSON.stringify(document) })}/dated.json`;
  const isDated: Guard = ({ method, path }) =>
    method === 'GET' && path === '/things' ? { status: 200, body: [{ id: 1, name: 'a', at: 'today' }] } : undefined;
  const only = ['things/gaps/unknown-parameters'];
  const [problem] = (await run(isDated, { only }, dated)).problems;
  expect(problem?.cause.rule).toBe('format');
  const rule = { formats: ['date-time'], reason: 'Legacy dates.' };
  const result = await run(isDated, { only, expect: [rule] }, dated);
  expect(result.problems).toEqual([]);
  expect(result.notes[0]).toMatch(
    /^expected at every operation: the format date-time is only noted \(Legacy dates\); met/,
  );
});

test.each<[object, RegExp]>([
  [{ status: 503 }, /^expect\[0\] lacks a reason, which every report shows\.$/],
  [{ operation: 'listThings', reason: 'x' }, /^expect\[0\] has none of status, off and formats\.$/],
  [
    { operaton: 'listThings', status: 503, reason: 'x' },
    /^expect\[0\] has operaton, which it cannot have; did you mean operation\?/,
  ],
  [
    { operation: 'listThing', status: 503, reason: 'x' },
    /^expect\[0\] names listThing, which is not an operation of the contract; did you mean listThings\?/,
  ],
  [
    { off: ['bodyy'], reason: 'x' },
    /^expect\[0\]\.off names the check bodyy, which does not exist; did you mean body\?/,
  ],
])('%j is refused', async (rule, message) => {
  const options = { target: 'http://127.0.0.1:9', spec, apiKey: '', expect: [rule as never] };
  await expect(runConformance(options)).rejects.toMatchObject({
    code: 'bad-option',
    message: expect.stringMatching(message) as string,
  });
});

test('the config file has it', () => {
  const config = 'target: http://127.0.0.1:9\nexpect:\n  - { path: /things, status: [404, 5XX], reason: Not yet. }\n';
  const file = join(makeFolder({ 'c.yaml': config }), 'c.yaml');
  const { options } = readConformanceSettings(['--config', file], {}, '1.0.0');
  expect(options.expect).toEqual([{ path: '/things', status: [404, '5XX'], reason: 'Not yet.' }]);
});
