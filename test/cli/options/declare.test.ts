import { describe, expect, expectTypeOf, test } from 'vitest';
import { PrintAndExit, readCommandLine } from '../../../src/cli/options/command-line.js';
import { describeOptions } from '../../../src/cli/options/define-options.js';
import { CATS, OPTIONS, read } from './cats.js';

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

  test('is read from the command line, the environment and the config file, in that order', () => {
    const [env, config] = [{ CATS_MOST_CATS: '5' }, 'most-cats: 7'];
    expect(read(['--most-cats', '4'], env, config).mostCats).toBe(4);
    expect(read([], env, config).mostCats).toBe(5);
    expect(read([], {}, config).mostCats).toBe(7);
    expect(read([]).mostCats).toBe(3);
  });

  test('is in the schema of the config file, unless it may not stand there', () => {
    const text = { type: 'string', pattern: String.raw`\S` };
    expect(describeOptions(OPTIONS)).toEqual({
      'most-cats': { description: 'How many cats there may be.', type: 'integer', minimum: 0, maximum: 9, default: 3 },
      tag: { description: 'A tag.', anyOf: [text, { type: 'array', minItems: 1, items: text }] },
      colour: { description: 'A colour. Default: as they are.', enum: ['red', 'green'] },
      home: { description: 'Where they live; relative to this file.', ...text },
      milk: { description: 'No milk.', type: 'boolean', default: true },
    });
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
