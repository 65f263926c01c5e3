import { expect, test } from 'vitest';
import { judgeResult } from '../../../src/cli/conformance/judge-result.js';
import { prettyReport } from '../../../src/report/pretty.js';
import type { RunResult } from '../../../src/conformance/index.js';
import { inPath } from '../../support/open-paths.js';
import { object, text } from '../resources/support/odd-resource.js';
import { describeShelf, serveShelf } from '../resources/support/shelf.js';
import { describePaths, fail, judgeStranger, type Serve } from '../resources/support/stranger.js';

const RECORD = object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']);
const SENT = object({ name: text }, ['name']);
const NAMES = ['kites', 'boats', 'lamps'];
const DOCUMENT = describePaths(
  Object.assign(
    {},
    ...NAMES.map((name) => describeShelf({ name, record: RECORD, sent: SENT, refusals: { create: [400, 409] } })),
  ),
);

/** Three collections, of which some take no record whatever is sent. */
function serve(taking: readonly string[]): Serve {
  const shelves = NAMES.map((name) =>
    serveShelf(name, {
      refuse: ({ name: given }) => {
        if (!taking.includes(name)) return fail(409, 'The tenant is closed.');
        return typeof given === 'string' && given !== '' ? undefined : fail(400);
      },
    }),
  );
  return (asked) => (shelves[NAMES.indexOf(asked.path[0] ?? '')] ?? ((): ReturnType<Serve> => fail(404)))(asked);
}

const judge = (result: RunResult): number =>
  judgeResult(result, { failOn: 'deviation', minConcluded: 0 } as never).code;
const print = (result: RunResult): string[] =>
  prettyReport.write(result, { color: false, quiet: false }).trim().split('\n');

test('a run that tested no resource says so first, with what is lacking, and is no success', async () => {
  const result = await judgeStranger(DOCUMENT, serve([]), ['*']);
  const [first] = print(result);
  expect(first).toMatch(/^0 of 3 resources tested of Stranger 1 .*: kites: .*The tenant is closed/);
  expect(print(result).at(-1)).toMatch(/^0 of 3 resources tested · /);
  expect(judge(result)).toBe(2);
});

test('a run that tested one of them says so in its last line', async () => {
  const result = await judgeStranger(DOCUMENT, serve(['boats']), ['*']);
  expect(result.resources?.tested).toEqual(['boats']);
  expect(print(result).at(-1)).toContain(' · 1 of 3 resources tested · ');
  expect(judge(result)).toBe(0);
});

test('a resource below a key that only the user knows says what to give', async () => {
  const inner = describeShelf({ name: 'kites', record: RECORD, sent: SENT });
  const teams = { parameters: [{ ...inPath('teamId'), schema: { type: 'string' } }] };
  const below = Object.entries(inner).map(([path, item]) => {
    const { parameters = [], ...operations } = item as { parameters?: unknown[] };
    return [`/teams/{teamId}${path}`, { ...operations, parameters: [...teams.parameters, ...parameters] }];
  });
  const boats = describeShelf({ name: 'boats', record: RECORD, sent: SENT });
  const result = await judgeStranger(describePaths({ ...boats, ...Object.fromEntries(below) }), serve(['boats']), [
    '*/records/*',
  ]);
  expect(result.resources?.untested).toEqual([
    { name: 'kites', why: 'it needs the path parameter teamId; --parameter teamId=<value> sets it' },
  ]);
});

test('a collection whose key is not clear is one that was not tested', async () => {
  const sail = { description: 'One.', content: { 'application/json': { schema: object({ size: text }, ['size']) } } };
  const sails = {
    '/sails/{mark}': {
      parameters: [inPath('mark')],
      get: { operationId: 'getSail', responses: { 200: sail } },
      delete: { operationId: 'removeSail', responses: { 204: { description: 'Gone.' } } },
    },
  };
  const boats = describeShelf({ name: 'boats', record: RECORD, sent: SENT });
  const result = await judgeStranger(describePaths({ ...boats, ...sails }), serve(['boats']), ['boats/records/*']);
  const why = 'it is not clear which property in the response of getSail is the key of sails';
  expect(result.resources).toMatchObject({ tested: ['boats'], untested: [{ name: 'sails' }] });
  expect(result.resources?.untested[0]?.why).toBe(`${why}; a file of corrections (--resources) can say it`);
  expect(print(result).at(-1)).toContain(' · 1 of 2 resources tested · ');
});
