import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type ConformanceOptions,
  planConformance,
  runConformance,
  type RunResult,
} from '../../../src/conformance/index.js';
import type { ConformanceOptions, RunEvent } from '../../../src/conformance/model/options.js';
import { listUnanswerable, planRun } from '../../../src/conformance/product/plan-run.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { packageFile } from '../../../src/package-files.js';
import type { MutantId } from '../../mutation/mutants/index.js';
import { startMutationServer } from '../../mutation/server/start-server.js';
import { makeFolder } from '../../support/folder.js';
import { content } from '../../support/open-paths.js';
import { parseContract } from '../../support/parse-contract.js';
import { ADDRESS_OF_NOBODY, closeLater, KEY, OWN_SCENARIO, start } from '../support/ask.js';
import { describeThings, serveThings, type Things } from '../support/guarded-things.js';

const target = 'http://127.0.0.1:1/v1';
const needsKey = 'apiKey must be a text, the key that the target accepts; empty if the contract requires none.';

test.each<[unknown, string]>([
  [undefined, 'runConformance takes options: { target, apiKey }.'],
  [{ target }, needsKey],
  [{ target, apiKey: 5 }, needsKey],
  [{ apiKey: 'k' }, 'the target is not a URL; give the base URL, such as http://127.0.0.1:4010/v1.'],
  [{ target, apiKey: 'k', only: 'list/*' }, 'only must be a list of texts.'],
  [{ target, apiKey: 'k', concurrency: '4' }, 'concurrency must be a number from 0.'],
  [{ target, apiKey: 'k', settleMs: Number.NaN }, 'settleMs must be a number from 0.'],
  [{ target, apiKey: 'k', strict: 'yes' }, 'strict must be true or false.'],
  [{ target, apiKey: 'k', onEvent: {} }, 'onEvent must be a function.'],
  [{ target, apiKey: 'k', signal: {} }, 'signal must be an AbortSignal.'],
  [{ target, apiKey: 'k', headers: ['a: b'] }, 'headers must be an object.'],
])('what a compiler would have refused is told: %s', async (options, said) => {
  const running = runConformance(options as ConformanceOptions);
  await expect(running).rejects.toMatchObject({ code: 'bad-option' });
  await expect(running).rejects.toThrow(said);
});

test('what ships is read once in a process', () => {
  const [first, second] = [planRun({}), planRun({ only: ['pets/lists/at-start*'] })];
  expect(second.contract).toBe(first.contract);
  expect(second.scenarios).toEqual(first.scenarios.filter(({ id }) => id.startsWith('pets/lists/at-start')));
  expect(second.scenarios.map(({ id }) => id)).toContain('pets/lists/at-start[status-sold]');
});

test('what does not ship is read at every run', () => {
  const file = join(makeFolder(), 'mine.yaml');
  const planWith = (text: string): string[] => {
    writeFileSync(file, text);
    return planRun({ scenarios: [file], only: ['mine/*'] }).scenarios.map(({ id }) => id);
  };
  expect(planWith(OWN_SCENARIO)).toEqual(['mine/own', 'pets/records/create']);
  expect(planWith(OWN_SCENARIO.replace('id: own', 'id: other'))).toEqual(['mine/other', 'pets/records/create']);
  const spec = packageFile('spec/petstore.openapi.yaml');
  expect(planRun({ spec }).contract).not.toBe(planRun({ spec }).contract);
});

const ONLY = { only: ['pets/lists/filter-alone*', 'pets/records/list'], settleMs: 0 };

async function planMutant(...mutants: MutantId[]): Promise<ReturnType<typeof planConformance>> {
  const server = await startMutationServer({ mutants, apiKey: KEY });
  closeLater(() => server.close());
  const plan = planConformance({ target: server.url, apiKey: KEY, ...ONLY });
  closeLater(() => plan.close());
  return plan;
}

describe('a plan', () => {
  test('lists its scenarios without a request, and runs them once, when the first is asked for', async () => {
    const { url, log } = await start();
    const plan = planConformance({ target: url, apiKey: KEY, ...ONLY });
    expect(plan.scenarios.map(({ id }) => id)).toContain('pets/lists/filter-alone[status-sold]');
    expect(log).toEqual([]);
    const [first, again] = await Promise.all([
      plan.check('pets/lists/filter-alone[status-sold]'),
      plan.check('pets/lists/filter-alone[status-sold]'),
    ]);
    expect([first.verdict, again]).toEqual(['passed', first]);
    const { summary } = await plan.finish();
    expect([summary.passed, summary.requests]).toEqual([plan.scenarios.length, log.length]);
    await plan.close();
  });

  test('throws what deviates, with the exchange, the line of the contract and how to see it again', async () => {
    const plan = await planMutant('filter-ignored');
    await expect(plan.check('pets/records/list')).resolves.toMatchObject({ verdict: 'passed' });
    await expect(plan.check('pets/lists/filter-alone[status-sold]')).rejects.toThrow(
      /^pets\/lists\/filter-alone\[status-sold\] deviates: a list filtered by status=sold alone .*\nGET \/pets\?status=sold → 200\n {2}body\/\d+\/status: expected "sold", but found "\w+" \(spec\/petstore\.openapi\.yaml:\d+:\d+\)[^]*\nagain: petstore-conformance --target http:\S+ --again 'pets\/lists\/filter-alone\[status-sold\]'$/,
    );
  });

  test('throws for every scenario what keeps the run from beginning', async () => {
    const plan = planConformance({ target: ADDRESS_OF_NOBODY, apiKey: KEY, ...ONLY });
    for (const { id } of plan.scenarios) await expect(plan.check(id)).rejects.toThrow('nothing listens there');
    await plan.close();
  });

  test('throws for a scenario that it does not have, and for a selection that has none', async () => {
    const plan = await planMutant();
    await expect(plan.check('get/listed')).rejects.toThrow('there is no scenario get/listed in this plan.');
    expect(() => planConformance({ target: ADDRESS_OF_NOBODY, apiKey: KEY, only: ['no/such'] })).toThrow('no/such');
  });

  test('ends when it is closed, and what was not run says so', async () => {
    const { url } = await start(() => ({ intercept: () => new Promise(() => {}) }));
    const plan = planConformance({ target: url, apiKey: KEY, ...ONLY });
    const checking = plan.check('pets/lists/filter-alone[status-sold]');
    checking.catch(() => {});
    await plan.close();
    await expect(checking).rejects.toThrow(/interrupted/);
  });
});

const link = { type: 'object', properties: { href: { type: 'string' } }, additionalProperties: false };
const broken = { type: 'object', additionalProperties: false, allOf: [link], required: ['href'] };

test('an operation whose every answer breaks the contract is not asked, and the reason says where', () => {
  const paths = {
    '/broken': { get: { operationId: 'broken', responses: { 200: content(broken), 404: content(link) } } },
    '/sound': { get: { operationId: 'sound', responses: { 200: content(link) } } },
    '/either': { get: { operationId: 'either', responses: { 200: content(broken), 204: { description: 'None.' } } } },
    '/text': { get: { operationId: 'text', responses: { 200: content(broken, 'text/csv') } } },
    '/none': { get: { operationId: 'none', responses: { 404: content(broken) } } },
  };
  const [first, ...others] = listUnanswerable(parseContract({ openapi: '3.0.3', paths }, { shownAs: 'links.json' }));
  expect(others).toEqual([]);
  expect(first).toEqual([
    'broken',
    'no response can be valid: `href` is required, but its `additionalProperties: false` (links.json:1, #/paths/~1broken/get/responses/200/content/application~1json/schema) allows only the properties beside it; list it there',
  ]);
});

test('a target that cannot be reached is told as a result, and thrown', async () => {
  const events: RunEvent[] = [];
  const run = runConformance({
    target: 'http://127.0.0.1:9/v1',
    apiKey: 'some-key',
    only: ['pets/lists/*'],
    onEvent: (event) => void events.push(event),
  });
  await expect(run).rejects.toMatchObject({ code: 'target-unreachable' });
  const results = events.flatMap((event) => (event.type === 'runFinished' ? [event.result] : []));
  expect(results).toMatchObject([{ targetLost: true, summary: { passed: 0, deviated: 0 } }]);
  expect(results[0]?.scenarios.length).toBeGreaterThan(0);
  expect(results[0]?.scenarios.every(({ verdict }) => verdict === 'inconclusive')).toBe(true);
  expect(results[0]?.scenarios[0]?.reason).toContain('nothing listens there');
});

type Json = Record<string, Record<string, object>>;

/** The things without credentials, of which the reads are tagged, and the replacement is deprecated. */
function describeTagged(): string {
  const document = JSON.parse(readFileSync(describeThings({ schemes: {} }), 'utf8')) as { paths: Json };
  for (const item of Object.values(document.paths)) Object.assign(item['get'] ?? {}, { tags: ['reads', 'all'] });
  Object.assign(document.paths['/things/{id}']?.['put'] ?? {}, { deprecated: true, tags: ['writes'] });
  return `${makeFolder({ 'tagged.json': JSON.stringify(document) })}/tagged.json`;
}

const spec = describeTagged();

/** The operations that the selected scenarios are about. */
function listBases(options: Partial<ConformanceOptions>): string[] {
  const { scenarios } = planRun({ spec, ...options });
  const built = new Set(scenarios.flatMap(({ dependsOn }) => dependsOn));
  const own = scenarios.filter(({ id }) => !built.has(id)).map(({ basis }) => basis.split('/').slice(0, 4).join('/'));
  return [...new Set(own)].filter((basis) => basis.startsWith('#/paths/')).toSorted();
}

const LIST = '#/paths/~1things/get';
const GET = '#/paths/~1things~1{id}/get';
const PUT = '#/paths/~1things~1{id}/put';
const DELETE = '#/paths/~1things~1{id}/delete';

test.each<[Partial<ConformanceOptions>, string[]]>([
  [{ tag: ['reads'] }, [LIST, GET]],
  [{ tag: ['writes'] }, [PUT]],
  [{ operation: ['removeThing'] }, [DELETE]],
  [{ operation: ['GET /things'] }, [LIST]],
  [{ method: ['put', 'DELETE'] }, [DELETE, PUT]],
  [{ path: ['/things/*'] }, [DELETE, GET, PUT]],
  [{ path: ['/things/*'], method: ['get'] }, [GET]],
])('%j selects the scenarios that are about these operations', (selection, bases) => {
  expect(listBases(selection)).toEqual(bases);
});

test('operations that are deprecated are left out, and a note says so', () => {
  const { scenarios, notes } = planRun({ spec, deprecated: 'skip' });
  expect(scenarios.flatMap(({ steps }) => steps).filter(({ operationId }) => operationId === 'replaceThing')).toEqual(
    [],
  );
  expect(notes).toContain('not tested: replaceThing: it is deprecated (--deprecated skip)');
});

test.each([
  ['NOT IMPLEMENTED', true],
  ['This endpoint is not yet implemented.', true],
  ['Returns 501 where the backend has not implemented it.', false],
])('an operation of which the contract says %j is left out: %s', (description, isLeftOut) => {
  const said = readFileSync(spec, 'utf8').replace('"operationId":"getThing"', `$&,"description":"${description}"`);
  const { scenarios, notes } = planRun({ spec: `${makeFolder({ 'said.json': said })}/said.json` });
  const asked = scenarios.flatMap(({ steps }) => steps).filter(({ operationId }) => operationId === 'getThing');
  expect(asked.length === 0).toBe(isLeftOut);
  expect(notes.includes('not tested: getThing: the contract says that it is not implemented')).toBe(isLeftOut);
});

test.each<[Partial<ConformanceOptions>, string]>([
  [{ tag: ['read'] }, 'no operation of the contract has the tag read; did you mean reads?'],
  [{ operation: ['getThings'] }, 'no operation of the contract has the operation getThings; did you mean getThing?'],
  [{ tag: ['reads'], method: ['PUT'] }, 'no operation is of the tag reads and of the method PUT.'],
  [{ never: ['DELET /things'] }, "no operation is forbidden by --never 'DELET /things'"],
])('%j selects nothing, and says what there is', (selection, message) => {
  expect(() => planRun({ spec, ...selection })).toThrow(message);
});

async function run(options: Partial<ConformanceOptions>): Promise<{ things: Things; result: RunResult }> {
  const things = await serveThings();
  return { things, result: await runConformance({ target: things.url, spec, apiKey: '', settleMs: 0, ...options }) };
}

test.each(['DELETE /things/{id}', 'removeThing', 'DELETE', 'DELETE /things*'])(
  'what is never to be sent is not, by no scenario and by no cleanup: %s',
  async (never) => {
    const { things, result } = await run({ never: [never], only: ['things/records/create*', 'things/changes/*'] });
    expect(things.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(things.calls.some(({ method }) => method === 'PUT')).toBe(true);
    expect(result.notes).toContainEqual(expect.stringMatching(/^not tested: removeThing: .* never to be sent/));
    expect(result.leftBehind?.[0]).toMatchObject({
      count: things.store.size,
      why: 'since DELETE /things/{id} is never to be sent (--never)',
    });
  },
);

test('the list may be forbidden, though the first look begins with it', async () => {
  const { things, result } = await run({ never: ['GET /things'], only: ['things/records/*'] });
  expect(things.count('GET', '/things')).toBe(0);
  expect(result.problems).toEqual([]);
  expect(result.summary.passed).toBeGreaterThan(0);
});
