import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { content, inPath } from '../../support/open-paths.js';
import { failure, integer, object, text } from './support/odd-resource.js';
import { makeFolder } from '../../support/folder.js';

test('where a PUT need not create, the reason says what shows that it does', () => {
  const limit = object({ id: integer, name: text });
  const item = { parameters: [{ ...inPath('limitId'), schema: integer }] };
  const done = { 200: content(limit) };
  const paths = {
    '/limits': { get: { responses: { 200: content({ type: 'array', items: limit }) } } },
    '/limits/{limitId}': {
      get: { ...item, responses: { ...done, 404: failure } },
      put: { ...item, requestBody: content(object({ name: text })), responses: done },
    },
  };
  const spec = join(makeFolder(), 'puts.json');
  writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'Puts', version: '1' }, paths }));
  const create = planRun({ spec }).scenarios.find(({ id }) => id === 'limits/records/create');
  expect(create?.steps.map(({ assume }) => assume?.otherwise)).toContain(
    'it needs a service that creates a limit by a PUT to an unused key; or a POST in the contract, or a PUT with 201 and without 404',
  );
  const atNewKey = create?.steps.filter(({ isAtNewKey }) => isAtNewKey).map(({ operationId }) => operationId);
  expect(atNewKey).toContain('PUT /limits/{limitId}');
});
