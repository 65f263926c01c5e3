import { join } from 'node:path';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { PrintAndExit, readCommandLine } from '../../../src/cli/options/command-line.js';
import {
  defineOptions,
  readConfigOptions,
  readEnvironment,
  resolveOptions,
  type Program,
  type Source,
  type Values,
} from '../../../src/cli/options/define-options.js';
import { readDocument } from '../../../src/contract/document/document.js';
import { BOOLEAN, oneOf, path, several, text, wholeNumber } from '../../../src/options/rules.js';
import { makeFolder } from '../../support/folder.js';

/** Options of every kind. There is nothing of them but these declarations. */
const OPTIONS = defineOptions({
  'most-cats': { value: '<number>', help: 'how many cats there may be', rule: wholeNumber({ to: 9 }), default: 3 },
  tag: { value: '<text>', help: 'a tag', rule: several(text('a tag'), 'a tag, or several'), misnomers: ['TAGS'] },
  colour: {
    value: '<word>',
    help: 'a colour',
    once: 'a cat has one colour',
    rule: oneOf(['red', 'green']),
    otherwise: 'as they are',
    variable: 'THE_COLOUR',
  },
  home: { short: '-h', value: '<path>', help: 'where they live', rule: path('a path') },
  secret: {
    value: '<key>',
    help: 'a secret',
    rule: { ...text('a secret'), isSecret: true },
    from: ['flag', 'environment'],
  },
  milk: { help: 'no milk', rule: BOOLEAN, isNegated: true, default: true },
  list: { help: 'list the cats', rule: BOOLEAN, from: ['flag'] },
});

const CATS: Program = {
  name: 'cats',
  description: 'Cats.',
  usage: '[options]',
  prefix: 'CATS_',
  options: OPTIONS,
  listSeparator: ',',
  commands: { feed: 'give them milk' },
  usual: ['tag', 'milk'],
  shortNotes: '\nPurr.\n',
  notes: '\nMeow.\n',
  hint: 'Cats go with --tag.',
  guessMeaning: (word) => (word === 'tom' ? '--tag tom' : undefined),
};

/** What comes of a command line, an environment, and a config file of which these are the lines from the second on. */
function read(args: readonly string[], env: Record<string, string> = {}, config = ''): Values<typeof OPTIONS> {
  const file = join(makeFolder({ 'cats.yaml': `# cats\n${config}\n` }), 'cats.yaml');

  const sources = [
    readCommandLine(CATS, args, '1.0.0'),
    readEnvironment(CATS, env),
    readConfigOptions(readDocument(file, { code: 'unusable-config', kind: 'mock' }), OPTIONS),
  ];
  return resolveOptions(OPTIONS, sources).values;
}

describe('an option that is declared, and nothing else,', () => {
  test('is in --help if it is usual, beside the commands', () => {
    const help = readHelp('--help');
    expect(help).toContain(' feed give them milk\n');
    expect(help).toContain('--tag <text> a tag; may be repeated');
    expect(help).toContain('--help show this help; --help all lists every option');
    expect(help).not.toContain('--most-cats');
    expect(help).toMatch(/Purr\.\n+$/);
  });

  test('is in --help all', () => {
    const help = readHelp('--help', 'all');
    expect(help).toContain(' feed give them milk\n');
    expect(help).toContain('--most-cats <number> how many cats there may be (default: 3)');
    expect(help).toContain('--tag <text> a tag; may be repeated');
    expect(help).toContain('--colour <word> a colour (default: as they are)');
    expect(help).toContain('-h, --home <path> where they live');
    expect(help).toContain('--no-milk no milk\n');
    expect(help).not.toContain(' --milk');
    expect(help).toMatch(/Meow\.\n+$/);
  });

  test('has a value of the type of its rule', () => {
    const values = read([]);
    expectTypeOf(values.mostCats).toEqualTypeOf<number>();
    expectTypeOf(values.tag).toEqualTypeOf<string[] | undefined>();
    expectTypeOf(values.colour).toEqualTypeOf<'red' | 'green' | undefined>();
    expectTypeOf(values.list).toEqualTypeOf<boolean>();
    expect(values).toEqual({ mostCats: 3, milk: true, list: false });
  });
});

function readHelp(...args: string[]): string {
  try {
    readCommandLine(CATS, args, '1.0.0');
  } catch (error) {
    if (error instanceof PrintAndExit) return error.text.replace(/ +/g, ' ');
  }
  return '';
}

test('of what takes one value the last counts, of what may be repeated all', () => {
  expect(read(['--most-cats', '1', '--most-cats=2']).mostCats).toBe(2);
  expect(read(['--tag', 'a', '--tag', 'b,c']).tag).toEqual(['a', 'b,c']);
});

test('what is on is turned off by a flag, and on again by another', () => {
  expect(read(['--no-milk']).milk).toBe(false);
  expect(read(['--milk'], { CATS_MILK: 'off' }).milk).toBe(true);
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
  [['tom'], 'there is no command tom; did you mean --tag tom?'],
  [['colur'], 'there is no command colur; did you mean --colour?'],
  [['fed'], 'there is no command fed; did you mean feed?'],
  [['wash'], 'there is no command wash. The only command is feed; --help lists the options.'],
  [['--list', 'feed'], 'unexpected argument feed; did you mean feed as the first word?'],
  [['--list', 'wash'], 'unexpected argument wash. The only command is feed; --help lists the options.'],
  [['Tom-Secret-9'], 'unexpected argument; it is not shown, since it may be a key. Cats go with --tag.'],
  [['--secret', 'my', 'cat'], 'unexpected argument; it is not shown, since it may be a key.'],
])('%j is rejected', (args, message) => expect(() => read(args)).toThrow(message));

test('a list has commas, and a switch any word for on and off', () => {
  expect(read([], { CATS_TAG: 'a, b' }).tag).toEqual(['a', 'b']);
  expect(read([], { CATS_MILK: 'Off' }).milk).toBe(false);
});

test("an empty variable counts as none, and so does somebody else's or that of a flag alone", () => {
  const env = { CATS_MOST_CATS: '', CATS_AND_DOGS: '1', CATS_LIST: '1', OTHER_TAG: 'a' };
  expect(read([], env)).toEqual({ mostCats: 3, milk: true, list: false });
});

test.each<[string, string, string]>([
  ['CATS_MOST_CATS', 'many', 'CATS_MOST_CATS must be a whole number from 0 to 9, not many.'],
  ['THE_COLOUR', 'gren', 'THE_COLOUR must be red or green, not gren; did you mean green?'],
  ['CATS_MOST_CAT', '1', 'there is no variable CATS_MOST_CAT; did you mean CATS_MOST_CATS?'],
  ['CATS_COLOUR', 'red', 'there is no variable CATS_COLOUR; did you mean THE_COLOUR?'],
  ['CATS_NO_MILK', '1', 'there is no variable CATS_NO_MILK; did you mean CATS_MILK=false?'],
])('%s=%s is rejected', (variable, value, message) => expect(() => read([], { [variable]: value })).toThrow(message));

test('a variable that cannot be read is told although a flag counts before it', () =>
  expect(() => read(['--most-cats', '1'], { CATS_MOST_CATS: 'many' })).toThrow('CATS_MOST_CATS must be'));

test('a path is meant from where the file stands', () => {
  expect(read([], {}, 'home: ./basket').home).toMatch(/^\/.*mock-\w+\/basket$/);
  expect(read([], {}, 'home: /basket').home).toBe('/basket');
  expect(read([], {}, 'home: https://cats.example/basket').home).toBe('https://cats.example/basket');
  expect(read(['--home', './basket']).home).toBe('./basket');
});

test.each([
  ['most-cats: "4"', 'cats.yaml:2:1: most-cats must be a whole number from 0 to 9, not the text "4".'],
  ['tag: []', 'cats.yaml:2:1: tag must be a tag, or several, not [].'],
  ['milk: "no"', 'cats.yaml:2:1: milk must be true or false, not no.'],
  ['tags: a', 'cats.yaml:2:1: there is no option tags; did you mean tag? The options are most-cats, tag, colour, '],

  ['list: true', 'there is no option list.'],
  ['secret: Very-Secret', 'there is no option secret.'],
  ['constructor: 1', 'there is no option constructor.'],
  ['- tag', 'cats.yaml:2:1: a config file must be a mapping of options'],
])('%s is rejected with its line', (config, message) => expect(() => read([], {}, config)).toThrow(message));

const source = (values: Record<string, unknown>): Source =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, from: 'flag', where: `flag ${name}` }]));

test('the first source that has an option decides, with 0 and false too, and says where it stands', () => {
  const { values, given } = resolveOptions(OPTIONS, [
    source({ 'most-cats': 0, milk: false }),
    source({ 'most-cats': 2, home: '/b' }),
  ]);
  expect(values).toMatchObject({ mostCats: 0, milk: false, home: '/b', list: false });
  const places = [given('most-cats')?.where, given('home')?.where, given('tag')];
  expect(places).toEqual(['flag most-cats', 'flag home', undefined]);
});
