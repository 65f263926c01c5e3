import { expect, test } from 'vitest';
import { findFull } from '../../../../src/conformance/engine/accepted-payload.js';
import type { Search } from '../../../../src/conformance/engine/accepted-payload.js';
import type { Field } from '../../../../src/conformance/resources/resource-under-test.js';
import type { Trial } from '../../../../src/conformance/resources/instantiate-resources.js';

const OWNER = '$scenarios.customers/records/create.outputs.key';

function fieldOf(name: string): Field {
  return { name, type: 'string', required: true, schema: { type: 'string', pattern: '^.+$' } } as unknown as Field;
}

test('other texts of patterns go on from what was mended, and leave the keys of other records', async () => {
  const plain = { owner: 'C-1', serial: 'S-1', site: 'x' };
  const first: Trial = { full: { ...plain, owner: OWNER }, plain };
  const sent: Trial['full'][] = [];
  const send: Search['send'] = async ({ full }) => {
    sent.push(full);
    await Promise.resolve();
    if (full['site'] === 'x') return '{"message":"site must be an address"}';
    return full['serial'] === 'S-1' ? '{"message":"conflict"}' : undefined;
  };
  const search: Search = {
    fields: ['owner', 'serial'].map(fieldOf),
    whole: first,
    references: [],
    isAllowed: () => true,
    makeLike: ({ name }) => `$uniqueLike#/${name}`,
    send,
  };
  const fields = [
    ...search.fields,
    { name: 'site', type: 'string', required: true, schema: { type: 'string' } } as unknown as Field,
  ];
  const makeLike: Search['makeLike'] = (field, value) =>
    field.name === 'site' ? undefined : search.makeLike(field, value);
  const said = '{"message":"site must be an address"}';
  const found = await findFull({ trial: first, said }, { least: first, others: [] }, { ...search, fields, makeLike });
  expect(found?.full).toMatchObject({ owner: OWNER, serial: '$uniqueLike#/serial' });
  expect(found?.full['site']).not.toBe('x');
});

test('of many fields, those few are left out that a service rejects without a word on which', async () => {
  const names = Array.from({ length: 26 }, (_, index) => `f${index}`);
  const all = Object.fromEntries(names.map((name) => [name, 'x']));
  const whole: Trial = { full: all, plain: all };
  const least: Trial = { full: {}, plain: {} };
  const bad = ['f17', 'f22'];
  const search: Search = {
    fields: names.map((name) => ({ name, type: 'string', required: false, schema: {} }) as unknown as Field),
    whole,
    references: [],
    isAllowed: () => true,
    makeLike: () => undefined,
    send: ({ full }) => Promise.resolve(bad.some((name) => Object.hasOwn(full, name)) ? 'Invalid key.' : undefined),
  };
  const found = await findFull({ trial: whole, said: 'Invalid key.' }, { least, others: [] }, search);
  expect(names.filter((name) => found?.full[name] === undefined)).toEqual(bad);
});
