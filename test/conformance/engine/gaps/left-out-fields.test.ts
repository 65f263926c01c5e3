import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadContract } from '../../../../src/contract/contract.js';
import { readGapsOf } from '../../../../src/conformance/resources/resource-under-test.js';
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import { makeFolder } from '../../../support/folder.js';
import { describeThings, serveThings, type Guard, type Things } from '../../support/guarded-things.js';

/** A PUT that says only that it updates, or a POST in its place that requires a name. */
function describeUpdated(method: string): string {
  const text = readFileSync(describeThings({ schemes: {}, security: [] }), 'utf8');
  return `${makeFolder({ 'things.json': text.replace('"put":', `"${method}":`).replace('replaceThing', 'updateThing') })}/things.json`;
}

type Fields = Record<string, unknown>;

/** What a service stores, from what was stored and what is sent. */
const SERVICES: Readonly<Record<string, (before: Fields, sent: Fields) => Fields>> = {
  merged: (before, sent) => ({ ...before, ...sent }),
  replaced: ({ id }, sent) => ({ ...sent, id }),
  'replaced, with 0 for what is missing': ({ id }, sent) => ({ size: 0, ...sent, id }),
  // Neither what was there, nor what a new thing has.
  other: ({ id }, sent) => ({ size: 7, ...sent, id }),
};

const CASES = Object.keys(SERVICES).flatMap((name) => ['put', 'post'].map((method) => ({ name, method })));

test.each(CASES)('a service whose $method is $name is seen to, and accused of nothing', async ({ name, method }) => {
  let things: Things | undefined = undefined;
  const update: Guard = ({ method: asked, path, json }) => {
    const id = Number(/^\/things\/(\d+)$/.exec(path)?.[1]);
    const before = things?.store.get(id);
    const isValid = typeof json?.['name'] === 'string' && json['name'] !== '';
    if (asked !== method.toUpperCase() || before === undefined || !isValid) return undefined;
    things?.store.set(id, SERVICES[name]?.(before, json) ?? {});
    return { status: 200, body: things?.store.get(id) };
  };
  things = await serveThings(update);
  const { gaps, problems } = await runConformance({
    target: things.url,
    apiKey: '',
    spec: describeUpdated(method),
    only: ['things/gaps/left-out-fields*'],
    settleMs: 0,
  });
  expect(gaps.find(({ id }) => id === 'things.left-out-fields')?.answer).toBe(name.split(',')[0]);
  expect(problems.map(({ headline }) => headline)).toEqual([]);
});

test('a PUT that is said to replace, or to leave what is missing, leaves nothing open', async () => {
  const text = readFileSync(describeUpdated('put'), 'utf8');
  const isAsked = (words: string): boolean => {
    const spec = text.replace('"updateThing"', `"updateThing","description":"${words}"`);
    const contract = loadContract(`${makeFolder({ 'things.json': spec })}/things.json`);
    return readGapsOf(contract).asked.some(({ id }) => id === 'things.left-out-fields');
  };
  expect(['Updates a thing.', 'Modifies a thing.'].map(isAsked)).toEqual([true, true]);
  expect(['Replaces the thing.', 'Fields that are left out stay as they are.'].map(isAsked)).toEqual([false, false]);
});
