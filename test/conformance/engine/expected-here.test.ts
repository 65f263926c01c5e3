import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConformanceSettings } from '../../../src/cli/conformance/settings.js';
import { runConformance, type ConformanceOptions, type RunResult } from '../../../src/conformance/index.js';
import { reportFormats } from '../../../src/report/index.js';
import { makeFolder } from '../../support/folder.js';
import { describeThings, serveThings, type Guard } from '../support/guarded-things.js';

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
