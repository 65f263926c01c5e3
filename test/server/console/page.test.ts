import { existsSync } from 'node:fs';
import express from 'express';
import request, { type Response } from 'supertest';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createPetstoreApp } from '../../../src/index.js';
import { packageFile } from '../../../src/package-files.js';
import { makeFile } from '../../support/folder.js';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const open = (app: Parameters<typeof request>[0], path: string): request.Test =>
  request(app).get(path).set('Accept', HTML);

/** What the page is told. */
const aboutOf = ({ text }: Response): unknown => JSON.parse(/id="about">(.*)<\/script>/.exec(text)?.[1] ?? 'null');

test('a browser gets a page at /, with the address, the documented key and requests to copy', async () => {
  const answer = await open(createPetstoreApp(), '/')
    .expect(200)
    .expect('Content-Type', /^text\/html/);
  expect(aboutOf(answer)).toMatchObject({
    basePath: '/v1',
    key: 'petstore-dev-key',
    operations: [
      { id: 'listPets', example: { path: '/pets?limit=2' } },
      { id: 'createPet', example: { mediaType: 'application/json' } },
      { id: 'getPet', deprecated: true, sunset: '2030-12-05', example: { path: '/pets/1' } },
    ],
  });
});

test('of a large contract the page has the first examples, and others are made when they are asked for', async () => {
  const responses = { 204: { description: 'Fine.' } };
  const get = (at: number): [string, object] => [`/r${at}`, { get: { operationId: `getR${at}`, responses } }];
  const paths = Object.fromEntries(Array.from({ length: 30 }, (_, at) => get(at)));
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Large', version: '1' }, paths });
  const app = createPetstoreApp({ spec: makeFile('large.json', text) });
  const { operations } = aboutOf(await open(app, '/')) as { operations: { id: string; example?: object }[] };
  expect(operations).toHaveLength(30);
  expect(operations.filter(({ example }) => example !== undefined).map(({ id }) => id)).toHaveLength(12);
  const slice = async (from: string): Promise<string[]> =>
    Object.keys((await open(app, `/__console/examples?from=${from}`).expect(200)).body as object);
  expect(await slice('getR12')).toEqual(operations.slice(12, 24).map(({ id }) => id));
  expect(await slice('getR24')).toHaveLength(6);
  expect(await slice('nothing')).toEqual([]);
  const { body } = await open(app, '/__console/examples?from=getR12');
  expect(body).toMatchObject({ getR12: { path: '/r12', headers: {} } });
});

test('the base path leads a browser to the page, with and without a slash', async () => {
  for (const path of ['/v1', '/v1/']) {
    expect(await open(createPetstoreApp(), path)).toMatchObject({ status: 302, headers: { location: '/' } });
  }
});

test.each(['/', '/v1', '/v1/'])('a client that is no browser is answered at %s as ever', async (path) => {
  const answer = await request(createPetstoreApp()).get(path).set('Accept', '*/*').expect(404);
  expect(answer.body).toMatchObject({ code: 'not_found', status: 404 });
});

test('a key of the user’s is never told', async () => {
  const answer = await open(createPetstoreApp({ apiKey: 'very-secret-key' }), '/');
  expect(answer.text).not.toContain('very-secret-key');
  expect(aboutOf(answer)).not.toHaveProperty('key');
});

test('the page may run and fetch what comes from the mock alone, and stand in no frame', async () => {
  const { headers } = await open(createPetstoreApp(), '/');
  const policy = headers['content-security-policy'] as string;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toContain('http');
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

test('what is told cannot end its element', async () => {
  const spec = packageFile('test/server/console/hostile.openapi.yaml');
  const { text } = await open(createPetstoreApp({ spec }), '/');
  expect(text.match(/<script/g)).toHaveLength(2);
  expect(text).toContain(String.raw`\u003c/script>`);
});

test('the contract can be downloaded as YAML and as JSON', async () => {
  const app = createPetstoreApp();
  const json = await request(app).get('/openapi.json').expect(200).expect('Content-Type', 'application/json');
  const yaml = await request(app)
    .get('/openapi.yaml')
    .expect(200)
    .expect('Content-Type', /^application\/yaml/);
  expect(json.body).toMatchObject({ openapi: '3.1.0', paths: { '/pets': { get: { operationId: 'listPets' } } } });
  // supertest has no parser for it.
  const text = yaml.text ?? (yaml.body as Buffer).toString();
  expect(parse(text, { intAsBigInt: false })).toMatchObject({ openapi: '3.1.0' });
});

test('mounted under a prefix, the page is there, and knows it', async () => {
  const app = express().use('/api', createPetstoreApp());
  const answer = await open(app, '/api/').expect(200);
  expect(aboutOf(answer)).toMatchObject({ mountPath: '/api', console: { isOn: false } });
  expect(answer.text).toContain('src="/api/__console/home.js"');
  await open(app, '/api/v1').expect(302).expect('Location', '/api/');
});

test('mounted without a prefix, the page is at the base path, and / is the app’s own', async () => {
  const app = express().use(createPetstoreApp());
  app.get('/', (_request, response) => void response.send('mine'));
  expect((await open(app, '/')).text).toBe('mine');
  expect(aboutOf(await open(app, '/v1'))).toMatchObject({ basePath: '/v1' });
});

test.each(['../package.json', '%2e%2e/index.js', 'nothing.js', '', 'constructor'])(
  'no other file is served: /__console/%s',
  async (path) => expect((await request(createPetstoreApp()).get(`/__console/${path}`)).status).toBe(404),
);

test.skipIf(!existsSync(packageFile('dist/console')))('the files of the pages are served', async () => {
  for (const name of ['home.js', 'admin.js', 'shared.js', 'style.css', 'icon.svg']) {
    const answer = await request(createPetstoreApp()).get(`/__console/${name}`);
    expect(answer).toMatchObject({ status: 200, headers: { 'x-content-type-options': 'nosniff' } });
  }
});
