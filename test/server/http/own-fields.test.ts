import { expect, test } from 'vitest';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { makeFile } from '../../support/folder.js';
import { content } from '../../support/open-paths.js';
import { startMock } from '../../support/started-mock.js';

/** What Chromium sends with every request, asked or not. */
const BROWSER = {
  'Accept-Language': 'de-DE,de;q=0.9,en;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Cache-Control': 'max-age=0',
  'Sec-CH-UA-Mobile': '?0',
};

function writeContract(): string {
  const schema = { type: 'string', enum: ['de', 'en'] };
  const fields = Object.keys(BROWSER).map((name) => ({
    name,
    in: 'header',
    required: name === 'Accept-Language',
    schema,
  }));
  const own = { name: 'X-Colour', in: 'header', schema: { type: 'string', enum: ['red'] } };
  const record = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
  const failure = { 400: { description: 'Refused.' } };
  const words = {
    '/words': {
      get: { parameters: [...fields, own], responses: { 200: content({ type: 'array', items: record }), ...failure } },
      post: { requestBody: content(record), responses: { 201: content(record), ...failure } },
    },
    '/words/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { parameters: [...fields, own], responses: { 200: content(record), ...failure } },
    },
  };
  return makeFile(
    'words.json',
    JSON.stringify({ openapi: '3.1.0', info: { title: 'Words', version: '1' }, paths: words }),
  );
}

test('what a browser sends unasked is not refused, whatever the contract lists; a field of its own is', async () => {
  const mock = await startMock({ spec: writeContract(), prism: false });
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${mock.url}/words`, { headers })).status;
  expect(await ask(BROWSER)).toBe(200);
  expect(await ask({ ...BROWSER, 'Accept-Language': 'fr' })).toBe(200);
  expect(await ask({ ...BROWSER, 'X-Colour': 'red' })).toBe(200);
  expect(await ask({ ...BROWSER, 'X-Colour': 'blue' })).toBe(400);
});

test('a run expects no refusal of them either, but of a field of the contract alone', () => {
  const ids = planRun({ spec: writeContract() }).scenarios.map(({ id }) => id);
  expect(ids).toContain('words/refusals/parameter[list-wrong-X-Colour]');
  const own = Object.keys(BROWSER).flatMap((name) => ids.filter((id) => id.includes(name)));
  expect(own.filter((id) => !id.includes('-without-'))).toEqual([]);
});
