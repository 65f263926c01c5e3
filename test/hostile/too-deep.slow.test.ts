import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/contract.js';
import { planRun } from '../../src/conformance/product/plan-run.js';
import { PetstoreMockError } from '../../src/errors.js';
import { setUp } from '../../src/server/set-up.js';
import { makeFolder } from '../support/folder.js';

const MANY = 3000;

/** A document whose one operation responds with the first of these schemas. */
function write(schemas: Record<string, unknown>): string {
  const path = join(makeFolder(), 'openapi.json');
  const schema = { $ref: '#/components/schemas/S0' };
  const get = {
    operationId: 'get',
    responses: { 200: { description: '', content: { 'application/json': { schema } } } },
  };
  const info = { title: 'T', version: '1' };
  writeFileSync(path, JSON.stringify({ openapi: '3.1.0', info, paths: { '/a': { get } }, components: { schemas } }));
  return path;
}

const next = (index: number): object => ({ $ref: `#/components/schemas/S${index + 1}` });
const chain = (link: (index: number) => object, last: object): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: MANY }, (_, index) => [`S${index}`, index === MANY - 1 ? last : link(index)]),
  );
const ring = (link: (index: number) => object): Record<string, unknown> => chain(link, link(-1));
const nest = (depth: number, wrap: (inside: object) => object): object =>
  Array.from({ length: depth }).reduce<object>((inside) => wrap(inside), { type: 'string' });

/** What a start and a plan of a run give: the message that ends them, or the notes. */
function open(schemas: Record<string, unknown>): string[] {
  const spec = write(schemas);
  return [() => setUp({ spec, checkAll: true, prism: false }).notes, () => planRun({ spec }).contract.listNotes()].map(
    (work) => {
      try {
        return JSON.stringify(work());
      } catch (error) {
        if (!(error instanceof PetstoreMockError)) throw error;
        return error.message;
      }
    },
  );
}

test.each<[string, Record<string, unknown>]>([
  ['a chain of $refs', chain(next, { type: 'string' })],
  ['a chain of properties', chain((at) => ({ type: 'object', required: ['a'], properties: { a: next(at) } }), {})],
  ['a ring of properties', ring((at) => ({ type: 'object', required: ['a'], properties: { a: next(at) } }))],
  ['a ring of items', ring((at) => ({ type: 'array', minItems: 1, items: next(at) }))],
  ['a chain of allOf', chain((at) => ({ allOf: [next(at)] }), { type: 'object' })],
  ['a ring of allOf', ring((at) => ({ allOf: [next(at)] }))],
  ['a ring of oneOf', ring((at) => ({ oneOf: [{ type: 'string' }, next(at)] }))],
  ['allOf in allOf', { S0: nest(MANY, (inside) => ({ allOf: [inside] })) }],
  ['properties in properties', { S0: nest(MANY, (inside) => ({ type: 'object', properties: { a: inside } })) }],
  ['20,000 brackets in a pattern', { S0: { type: 'string', pattern: `${'('.repeat(20_000)}${')'.repeat(20_000)}` } }],
])('%s ends in a sentence or is noted, and never in a stack overflow', (_, schemas) => {
  // Which of both depends on the size of the stack.
  for (const said of open(schemas)) expect(said).not.toContain('call stack');
});

test.each([
  ['in brackets', `x: ${'['.repeat(5000)}${']'.repeat(5000)}`, 'a.yaml:2:503'],
  ['in lines', Array.from({ length: MANY }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''), 'a.yaml:502:501'],
])('YAML that is nested too deeply %s is rejected at its line', (_, text, place) => {
  const path = join(makeFolder({ 'a.yaml': `openapi: 3.1.0\n${text}` }), 'a.yaml');
  expect(() => loadContract(path, { shownAs: 'a.yaml' })).toThrow(`${place}: this is nested`);
});
