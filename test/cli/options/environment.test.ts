import { expect, test } from 'vitest';
import { read } from './cats.js';

test('a list has commas, and a switch any word for on and off', () => {
  expect(read([], { CATS_TAG: 'a, b' }).tag).toEqual(['a', 'b']);
  expect(read([], { CATS_MILK: 'Off' }).milk).toBe(false);
});

test('an option may have a variable of its own name', () => expect(read([], { THE_COLOUR: 'red' }).colour).toBe('red'));

test("an empty variable counts as none, and so does somebody else's or that of a flag alone", () => {
  const env = { CATS_MOST_CATS: '', CATS_AND_DOGS: '1', CATS_LIST: '1', OTHER_TAG: 'a' };
  expect(read([], env)).toEqual({ mostCats: 3, milk: true, list: false });
});

test.each<[string, string, string]>([
  ['CATS_MOST_CATS', 'many', 'CATS_MOST_CATS must be a whole number from 0 to 9, not many.'],
  ['THE_COLOUR', 'gren', 'THE_COLOUR must be red or green, not gren; did you mean green?'],
  ['CATS_SECRET', ' ', 'CATS_SECRET must be a secret.'],
  ['CATS_MOST_CAT', '1', 'there is no variable CATS_MOST_CAT; did you mean CATS_MOST_CATS?'],
  ['CATS_COLOUR', 'red', 'there is no variable CATS_COLOUR; did you mean THE_COLOUR?'],
  ['CATS_TAGS', 'a', 'there is no variable CATS_TAGS; did you mean CATS_TAG?'],
  ['CATS_NO_MILK', '1', 'there is no variable CATS_NO_MILK; did you mean CATS_MILK=false?'],
])('%s=%s is refused', (variable, value, message) => expect(() => read([], { [variable]: value })).toThrow(message));

test('a variable that cannot be read is told although a flag counts before it', () =>
  expect(() => read(['--most-cats', '1'], { CATS_MOST_CATS: 'many' })).toThrow('CATS_MOST_CATS must be'));
