import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runConformance, type ConformanceOptions, type RunResult } from '../../../src/conformance/index.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { makeFolder } from '../../support/folder.js';
import { describeThings, serveThings, type Things } from '../support/guarded-things.js';

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
