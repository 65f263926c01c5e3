import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/contract.js';
import { planRun } from '../../src/conformance/product/plan-run.js';
import { PetstoreMockError } from '../../src/errors.js';
import { setUp } from '../../src/server/set-up.js';
import { makeFolder } from '../support/folder.js';
import { chain, document, needed, nest, object, ring, text, type Schema } from './hard-schemas.js';

const MANY = 3000;

/** What a start and a plan of a run give: the message that ends them, or the notes. */
function open(schemas: Schema): string[] {
  const spec = join(makeFolder({ 'openapi.json': document(schemas) }), 'openapi.json');
  const works = [
    () => setUp({ spec, checkAll: true, prism: false }).notes,
    () => planRun({ spec }).contract.listNotes(),
  ];
  return works.map((work) => {
    try {
      return JSON.stringify(work());
    } catch (error) {
      if (!(error instanceof PetstoreMockError)) throw error;
      return error.message;
    }
  });
}

test.each<[string, Schema]>([
  ['a chain of $refs', chain(MANY, (next) => next, text)],
  ['a chain of properties', chain(MANY, (a) => needed({ a }), {})],
  ['a ring of properties', ring(MANY, (a) => needed({ a }))],
  ['a ring of items', ring(MANY, (items) => ({ type: 'array', minItems: 1, items }))],
  ['a chain of allOf', chain(MANY, (next) => ({ allOf: [next] }), { type: 'object' })],
  ['a ring of allOf', ring(MANY, (next) => ({ allOf: [next] }))],
  ['a ring of oneOf', ring(MANY, (next) => ({ oneOf: [text, next] }))],
  ['allOf in allOf', { S0: nest(MANY, (inside) => ({ allOf: [inside] })) }],
  ['properties in properties', { S0: nest(MANY, (a) => object({ a })) }],
  ['20,000 brackets in a pattern', { S0: { ...text, pattern: `${'('.repeat(20_000)}${')'.repeat(20_000)}` } }],
])('%s ends in a sentence or is noted, and never in a stack overflow', (_, schemas) => {
  // Which of both depends on the size of the stack.
  for (const said of open(schemas)) expect(said).not.toContain('call stack');
});

test.each([
  ['in brackets', `x: ${'['.repeat(5000)}${']'.repeat(5000)}`, 'a.yaml:2:503'],
  ['in lines', Array.from({ length: MANY }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''), 'a.yaml:502:501'],
])('YAML that is nested too deeply %s is rejected at its line', (_, lines, place) => {
  const path = join(makeFolder({ 'a.yaml': `openapi: 3.1.0\n${lines}` }), 'a.yaml');
  expect(() => loadContract(path, { shownAs: 'a.yaml' })).toThrow(`${place}: this is nested`);
});
