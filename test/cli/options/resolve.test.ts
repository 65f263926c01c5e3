import { expect, test } from 'vitest';
import { type GivenValue, type Source, resolveOptions } from '../../../src/cli/options/define-options.js';
import { OPTIONS } from './cats.js';

const source = (values: Record<string, unknown>, from: GivenValue['from'] = 'flag'): Source =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, from, where: `${from} ${name}` }]));

test('the first source that has an option decides, and says where it stands', () => {
  const { values, given } = resolveOptions(OPTIONS, [
    source({ 'most-cats': 1 }),
    source({ 'most-cats': 2, home: '/b' }, 'environment'),
    source({ home: '/c', colour: 'red' }, 'file'),
  ]);
  expect(values).toMatchObject({ mostCats: 1, home: '/b', colour: 'red' });
  expect(given('most-cats')?.where).toBe('flag most-cats');
  expect(given('home')?.from).toBe('environment');
  expect(given('tag')).toBeUndefined();
});

test('what nobody gives has its default, and a switch is off', () => {
  expect(resolveOptions(OPTIONS, []).values).toEqual({
    mostCats: 3,
    tag: undefined,
    colour: undefined,
    home: undefined,
    secret: undefined,
    milk: true,
    list: false,
  });
});

test('0 and false are given, and no reason to look further', () => {
  const { values } = resolveOptions(OPTIONS, [source({ 'most-cats': 0, milk: false }), source({ 'most-cats': 5 })]);
  expect(values).toMatchObject({ mostCats: 0, milk: false });
});

test('one value of a list is a list', () => {
  expect(resolveOptions(OPTIONS, [source({ tag: 'fluffy' })]).values.tag).toEqual(['fluffy']);
  expect(resolveOptions(OPTIONS, [source({ tag: ['a', 'b'] })]).values.tag).toEqual(['a', 'b']);
});
