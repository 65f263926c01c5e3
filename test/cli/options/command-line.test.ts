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

test('a switch is off until it is given', () => expect([read([]).list, read(['--list']).list]).toEqual([false, true]));

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
  [['tom'], 'there is no command tom; did you mean --tag tom?'],
  [['colur'], 'there is no command colur; did you mean --colour?'],
  [['fed'], 'there is no command fed; did you mean feed?'],
  [['wash'], 'there is no command wash. The only command is feed; --help lists the options.'],
  [['--list', 'feed'], 'unexpected argument feed; did you mean feed as the first word?'],
  [['--list', 'wash'], 'unexpected argument wash. The only command is feed; --help lists the options.'],
  [['Tom-Secret-9'], 'unexpected argument; it is not shown, since it may be a key. Cats go with --tag.'],
  [['--secret', 'my', 'cat'], 'unexpected argument; it is not shown, since it may be a key.'],
])('%j is rejected', (args, message) => expect(() => read(args)).toThrow(message));
