import { expect, test } from 'vitest';
import { read } from './cats.js';

test('of what takes one value the last counts, of what may be repeated all', () => {
  expect(read(['--most-cats', '1', '--most-cats=2']).mostCats).toBe(2);
  expect(read(['--tag', 'a', '--tag', 'b,c']).tag).toEqual(['a', 'b,c']);
});

test('what is on is turned off by a flag, and on again by another', () => {
  expect(read(['--no-milk']).milk).toBe(false);
  expect(read(['--milk'], { CATS_MILK: 'off' }).milk).toBe(true);
});

test('a switch is off until it is given', () => {
  expect([read([]).list, read(['--list']).list]).toEqual([false, true]);
});

test.each([
  [['--most-cats', '10'], '--most-cats must be a whole number from 0 to 9, not 10.'],
  [['--home='], '--home must be a path, not an empty text.'],
  [['--secret', ' '], '--secret must be a secret.'],
  [['--most-cat', '1'], 'there is no option --most-cat; did you mean --most-cats?'],
  [['--list=1'], '--list takes no value.'],
  [['--milk=1'], '--milk takes no value.'],
  [['--colour', 'red', '--colour=red'], '--colour is given 2 times: a cat has one colour.'],
  [['--tag'], "option '--tag <text>' argument missing."],
  [['-h'], '-h sets the home; for help, use --help.'],
  [['tom'], 'tom is not an option; did you mean --tag tom?'],
  [['colur'], 'colur is not an option; did you mean --colour?'],
  [['Tom-Secret-9'], 'only options are accepted, but something else was given. Cats go with --tag.'],
  [['--secret', 'my', 'cat'], 'only options are accepted, but something else was given.'],
])('%j is refused', (args, message) => {
  expect(() => read(args)).toThrow(message);
});
