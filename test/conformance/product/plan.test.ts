import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planConformance, runConformance } from '../../../src/conformance/index.js';
import type { ConformanceOptions, RunEvent } from '../../../src/conformance/model/options.js';
import { listUnanswerable, planRun } from '../../../src/conformance/product/plan-run.js';
import { packageFile } from '../../../src/package-files.js';
import { mutants } from '../../mutation/mutants/index.js';
import { makeFile } from '../../support/folder.js';
import { content } from '../../support/open-paths.js';
import { parseContract } from '../../support/parse-contract.js';
import { ADDRESS_OF_NOBODY, closeLater, KEY, OWN_SCENARIO, start } from '../support/ask.js';
import { describeThings, serveThings } from '../support/guarded-things.js';

const target = 'http://127.0.0.1:1/v1';
const needsKey = 'apiKey must be a text, the key that the target accepts; empty if the contract requires none.';

test.each<[unknown, string]>([
  [undefined, 'runConformance takes options: { target, apiKey }.'],
  [{ target }, needsKey],
  [{ apiKey: 'k' }, 'the target is not a URL; give the base URL, such as http://127.0.0.1:4010/v1.'],
  [{ target, apiKey: 'k', only: 'list/*' }, 'only must be a list of texts.'],
  [{ target, apiKey: 'k', settleMs: Number.NaN }, 'settleMs must be a number from 0.'],
  [{ target, apiKey: 'k', strict: 'yes' }, 'strict must be true or false.'],
  [{ target, apiKey: 'k', onEvent: {} }, 'onEvent must be a function.'],
  [{ target, apiKey: 'k', headers: ['a: b'] }, 'headers must be an object.'],
])('what a compiler would have refused is told: %s', async (options, said) => {
  const message = expect.stringContaining(said) as string;
  const running = runConformance(options as ConformanceOptions);
  await expect(running).rejects.toMatchObject({ code: 'bad-option', message });
});

test('what ships is read once in a process', () => {
  const [first, second] = [planRun({}), planRun({ only: ['pets/lists/at-start*'] })];
  expect(second.contract).toBe(first.contract);
  expect(second.scenarios).toEqual(first.scenarios.filter(({ id }) => id.startsWith('pets/lists/at-start')));
  expect(second.scenarios.map(({ id }) => id)).toContain('pets/lists/at-start[status-sold]');
});

test('what does not ship is read at every run', () => {
  const file = makeFile('mine.yaml', OWN_SCENARIO);
  const list = (): string[] => planRun({ scenarios: [file], only: ['mine/*'] }).scenarios.map(({ id }) => id);
  expect(list()).toEqual(['mine/own', 'pets/records/create']);
  writeFileSync(file, OWN_SCENARIO.replace('id: own', 'id: other'));
  expect(list()).toEqual(['mine/other', 'pets/records/create']);
  const spec = packageFile('spec/petstore.openapi.yaml');
  expect(planRun({ spec }).contract).not.toBe(planRun({ spec }).contract);
});

const SOLD = 'pets/lists/filter-alone[status-sold]';
const ONLY = { only: ['pets/lists/filter-alone*', 'pets/records/list'], settleMs: 0 };

async function plan(...changes: Parameters<typeof start>) {
  const { url, log } = await start(...changes);
  const planned = planConformance({ target: url, apiKey: KEY, ...ONLY });
  closeLater(() => planned.close());
  return { planned, log };
}

test('a plan lists its scenarios without a request, and runs them once, when the first is asked for', async () => {
  const { planned, log } = await plan();
  expect(planned.scenarios.map(({ id }) => id)).toContain(SOLD);
  expect(log).toEqual([]);
  const [first, again] = await Promise.all([planned.check(SOLD), planned.check(SOLD)]);
  expect([first.verdict, again]).toEqual(['passed', first]);
  const { summary } = await planned.finish();
  expect([summary.passed, summary.requests]).toEqual([planned.scenarios.length, log.length]);
});

test('a plan throws what deviates, with the exchange, the line of the contract and how to see it again', async () => {
  const { planned } = await plan(mutants['filter-ignored'].change);
  await expect(planned.check('pets/records/list')).resolves.toMatchObject({ verdict: 'passed' });
  await expect(planned.check(SOLD)).rejects.toThrow(
    /^pets\/lists\/filter-alone\[status-sold\] deviates: a list filtered by status=sold alone .*\nGET \/pets\?status=sold → 200\n {2}body\/\d+\/status: expected "sold", but found "\w+" \(spec\/petstore\.openapi\.yaml:\d+:\d+\)[^]*\nagain: petstore-conformance --target http:\S+ --again 'pets\/lists\/filter-alone\[status-sold\]'$/,
  );
});

test('a plan throws for every scenario what keeps the run from beginning', async () => {
  const planned = planConformance({ target: ADDRESS_OF_NOBODY, apiKey: KEY, ...ONLY });
  for (const { id } of planned.scenarios) await expect(planned.check(id)).rejects.toThrow('nothing listens there');
  await planned.close();
});

test('a plan throws for a scenario that it does not have, and for a selection that has none', async () => {
  const { planned } = await plan();
  await expect(planned.check('get/listed')).rejects.toThrow('there is no scenario get/listed in this plan.');
  expect(() => planConformance({ target: ADDRESS_OF_NOBODY, apiKey: KEY, only: ['no/such'] })).toThrow('no/such');
});

test('a plan ends when it is closed, and what was not run says so', async () => {
  const { planned } = await plan(() => ({ intercept: () => new Promise(() => {}) }));
  const checking = planned.check(SOLD);
  checking.catch(() => {});
  await planned.close();
  await expect(checking).rejects.toThrow(/interrupted/);
});

test('an operation whose every answer breaks the contract is not asked, and the reason says where', () => {
  const link = { type: 'object', properties: { href: { type: 'string' } }, additionalProperties: false };
  const broken = { type: 'object', additionalProperties: false, allOf: [link], required: ['href'] };
  const paths = {
    '/broken': { get: { operationId: 'broken', responses: { 200: content(broken), 404: content(link) } } },
    '/sound': { get: { operationId: 'sound', responses: { 200: content(link) } } },
    '/either': { get: { operationId: 'either', responses: { 200: content(broken), 204: { description: 'None.' } } } },
    '/text': { get: { operationId: 'text', responses: { 200: content(broken, 'text/csv') } } },
    '/none': { get: { operationId: 'none', responses: { 404: content(broken) } } },
  };
  expect(listUnanswerable(parseContract({ openapi: '3.0.3', paths }, { shownAs: 'links.json' }))).toEqual([
    [
      'broken',
      'no response can be valid: `href` is required, but its `additionalProperties: false` (links.json:1, #/paths/~1broken/get/responses/200/content/application~1json/schema) allows only the properties beside it; list it there',
    ],
  ]);
});

test('a target that cannot be reached is told as a result, and thrown', async () => {
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => void events.push(event);
  const running = runConformance({ target: ADDRESS_OF_NOBODY, apiKey: 'some-key', only: ['pets/lists/*'], onEvent });
  await expect(running).rejects.toMatchObject({ code: 'target-unreachable' });
  const results = events.flatMap((event) => (event.type === 'runFinished' ? [event.result] : []));
  expect(results).toMatchObject([{ targetLost: true, summary: { passed: 0, deviated: 0 } }]);
  expect(new Set(results[0]?.scenarios.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  expect(results[0]?.scenarios[0]?.reason).toContain('nothing listens there');
});

/** The things without credentials, of which the reads are tagged, and the replacement is deprecated. */
function describeTagged(): string {
  const document = JSON.parse(readFileSync(describeThings({ schemes: {} }), 'utf8')) as {
    paths: Record<string, Record<string, object>>;
  };
  for (const item of Object.values(document.paths)) Object.assign(item['get'] ?? {}, { tags: ['reads', 'all'] });
  Object.assign(document.paths['/things/{id}']?.['put'] ?? {}, { deprecated: true, tags: ['writes'] });
  return makeFile('tagged.json', JSON.stringify(document));
}

const spec = describeTagged();
const LIST = '#/paths/~1things/get';
const [GET, PUT, DELETE] = ['get', 'put', 'delete'].map((method) => `#/paths/~1things~1{id}/${method}`);

test.each<[Partial<ConformanceOptions>, unknown[]]>([
  [{ tag: ['reads'] }, [LIST, GET]],
  [{ tag: ['writes'] }, [PUT]],
  [{ operation: ['removeThing'] }, [DELETE]],
  [{ operation: ['GET /things'] }, [LIST]],
  [{ method: ['put', 'DELETE'] }, [DELETE, PUT]],
  [{ path: ['/things/*'] }, [DELETE, GET, PUT]],
  [{ path: ['/things/*'], method: ['get'] }, [GET]],
])('%j selects the scenarios that are about these operations', (selection, bases) => {
  const { scenarios } = planRun({ spec, ...selection });
  const built = new Set(scenarios.flatMap(({ dependsOn }) => dependsOn));
  const own = scenarios.filter(({ id }) => !built.has(id)).map(({ basis }) => basis.split('/').slice(0, 4).join('/'));
  expect([...new Set(own)].filter((basis) => basis.startsWith('#/paths/')).toSorted()).toEqual(bases);
});

test('operations that are deprecated are left out, and a note says so', () => {
  const { scenarios, notes } = planRun({ spec, deprecated: 'skip' });
  const asked = scenarios.flatMap(({ steps }) => steps.map(({ operationId }) => operationId));
  expect(asked).not.toContain('replaceThing');
  expect(notes).toContain('not tested: replaceThing: it is deprecated (--deprecated skip)');
});

test.each([
  ['NOT IMPLEMENTED', true],
  ['This endpoint is not yet implemented.', true],
  ['Returns 501 where the backend has not implemented it.', false],
])('an operation of which the contract says %j is left out: %s', (description, isLeftOut) => {
  const said = readFileSync(spec, 'utf8').replace('"operationId":"getThing"', `$&,"description":"${description}"`);
  const { scenarios, notes } = planRun({ spec: makeFile('said.json', said) });
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

test.each(['removeThing', 'DELETE /things*'])(
  'what is never to be sent is not, by no scenario and by no cleanup: %s',
  async (never) => {
    const things = await serveThings();
    const only = ['things/records/create*', 'things/changes/replace'];
    const result = await runConformance({ target: things.url, spec, apiKey: '', settleMs: 0, never: [never], only });
    expect(new Set(things.calls.map(({ method }) => method))).toEqual(new Set(['GET', 'POST', 'PUT']));
    expect(result.notes).toContainEqual(expect.stringMatching(/^not tested: removeThing: .* never to be sent/));
    const why = 'since DELETE /things/{id} is never to be sent (--never)';
    expect(result.leftBehind?.[0]).toMatchObject({ count: things.store.size, why });
  },
);

test('the list may be forbidden, though the first look begins with it', async () => {
  const things = await serveThings();
  const options = { spec, apiKey: '', settleMs: 0, never: ['GET /things'], only: ['things/records/*'] };
  const result = await runConformance({ target: things.url, ...options });
  expect(things.count('GET', '/things')).toBe(0);
  expect(result.problems).toEqual([]);
  expect(result.summary.passed).toBeGreaterThan(0);
});
