import { expect, test } from 'vitest';
import { listColumns, listFields } from '../../src/console/collections/fields.js';
import { placeProblems } from '../../src/console/collections/draft.js';
import { words } from '../support/words.js';

const SCHEMA = {
  required: ['title', 'state'],
  properties: {
    note: { type: ['string', 'null'], description: 'For the owner.' },
    title: { type: ['string'] },
    id: { type: ['integer'] },
    state: { type: ['string'], enum: ['open', 'done', null] },
    due: { type: ['string'], format: 'date', description: 'When it ends.' },
    tags: { type: ['array'] },
    either: { type: ['string', 'integer'] },
    size: { type: ['number', 'null'], readOnly: true },
    isOld: { type: ['boolean'] },
    any: {},
  },
};

test('the key comes first, then what each record has, then the rest, each in the order of the contract', () => {
  expect(listFields(SCHEMA, 'id').map(({ name }) => name)).toEqual(words`
    id title state note due tags either size isOld any
  `);
});

test('a property is written as its types ask for, and as JSON where they leave it open', () => {
  const kinds = Object.fromEntries(listFields(SCHEMA, 'id').map(({ name, kind }) => [name, kind]));
  expect(kinds).toEqual({
    id: 'number',
    title: 'text',
    state: 'choice',
    note: 'text',
    due: 'text',
    tags: 'json',
    either: 'json',
    size: 'number',
    isOld: 'choice',
    any: 'json',
  });
  const of = (wanted: string): unknown => listFields(SCHEMA, 'id').find(({ name }) => name === wanted);
  expect(of('state')).toMatchObject({ choices: ['open', 'done'], required: true });
  expect(of('isOld')).toMatchObject({ choices: [true, false], required: false });
  expect(of('size')).toMatchObject({ readOnly: true });
  expect(of('due')).toMatchObject({ hint: 'When it ends.', form: 'A date, such as 2030-12-05.' });
});

test('of a long description the beginning is shown, on one line', () => {
  const [field] = listFields(
    { required: [], properties: { a: { description: `One\n  two ${'x'.repeat(300)}` } } },
    'id',
  );
  expect(field?.hint).toMatch(/^One two x+…$/);
  expect(field?.hint.length).toBeLessThan(210);
});

test('the columns do not depend on the record that is on top; what the contract does not name comes last', () => {
  const fields = listFields(SCHEMA, 'id');
  const columns = listColumns(fields, [
    { zebra: 1, any: 2 },
    { apple: 1, id: 3 },
  ]);
  expect(columns).toEqual([...fields.map(({ name }) => name), 'apple', 'zebra']);
  expect(listColumns(fields, [])).toEqual(fields.map(({ name }) => name));
});

test('what the mock refuses stands at its field, and the rest above', () => {
  const violations = [
    { pointer: '/name', message: 'body/name must be a string, but is 1' },
    { pointer: '/name', message: 'body/name is too long' },
    { pointer: '/a~1b/0/c', message: 'body/a~1b/0/c is required' },
    { pointer: '', message: 'body must have fewer properties' },
    { pointer: '/other', message: 'body/other is not known' },
  ];
  const refusal = { message: 'this pet breaks the contract', violations };
  expect(placeProblems(refusal, [{ name: 'name' }, { name: 'a/b' }])).toEqual({
    byField: { name: 'Must be a string, but is 1; Is too long', 'a/b': 'a~1b/0/c is required' },
    general: 'must have fewer properties; other is not known',
  });
  expect(placeProblems({ message: 'it is full', violations: [] }, [])).toEqual({ byField: {}, general: 'it is full' });
});
