import { expect, test } from 'vitest';
import { read } from './cats.js';

test('a list is one value or several', () => {
  expect(read([], {}, 'tag: a').tag).toEqual(['a']);
  expect(read([], {}, 'tag: [a, b]').tag).toEqual(['a', 'b']);
});

test('a path is meant from where the file stands', () => {
  expect(read([], {}, 'home: ./basket').home).toMatch(/^\/.*cats-\w+\/basket$/);
  expect(read([], {}, 'home: /basket').home).toBe('/basket');
  expect(read([], {}, 'home: https://cats.example/basket').home).toBe('https://cats.example/basket');
  expect(read(['--home', './basket']).home).toBe('./basket');
});

test('an empty file and the name of a schema say nothing', () =>
  expect(read([], {}, '')).toEqual(read([], {}, '$schema: cats.schema.json')));

test.each([
  ['most-cats: "4"', 'cats.yaml:2:1: most-cats must be a whole number from 0 to 9, not the text "4".'],
  ['tag: []', 'cats.yaml:2:1: tag must be a tag, or several, not [].'],
  ['milk: "no"', 'cats.yaml:2:1: milk must be true or false, not no.'],
  [
    'tags: a',
    'cats.yaml:2:1: there is no option tags; did you mean tag? The options are most-cats, tag, colour, home, milk.',
  ],
  ['list: true', 'there is no option list.'],
  ['secret: Very-Secret', 'there is no option secret.'],
  ['constructor: 1', 'there is no option constructor.'],
  ['- tag', 'cats.yaml:2:1: a config file must be a mapping of options'],
])('%s is refused with its line', (config, message) => expect(() => read([], {}, config)).toThrow(message));
