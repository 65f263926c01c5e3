import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from '../../../src/cli/options/command-line.js';
import {
  readConfigOptions,
  defineOptions,
  type Program,
  readEnvironment,
  resolveOptions,
  type Values,
} from '../../../src/cli/options/define-options.js';
import { readDocument } from '../../../src/contract/document/document.js';
import { BOOLEAN, oneOf, path, several, text, wholeNumber } from '../../../src/options/rules.js';

/** Options of every kind. There is nothing of them but these declarations. */
export const OPTIONS = defineOptions({
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

export const CATS: Program = {
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
export function read(args: readonly string[], env: Record<string, string> = {}, config = ''): Values<typeof OPTIONS> {
  const file = join(mkdtempSync(join(tmpdir(), 'cats-')), 'cats.yaml');
  writeFileSync(file, `# cats\n${config}\n`);
  const sources = [
    readCommandLine(CATS, args, '1.0.0'),
    readEnvironment(CATS, env),
    readConfigOptions(readDocument(file, { code: 'unusable-config', kind: 'mock' }), OPTIONS),
  ];
  return resolveOptions(OPTIONS, sources).values;
}
