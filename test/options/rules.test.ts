import { describe, expect, test } from 'vitest';
import { findProblem, type Rule } from '../../src/options/rule.js';
import { BOOLEAN, DATE_TEXT, DELAY, KEY, oneOf, path, SECONDS, several, text } from '../../src/options/rules.js';
import { wholeNumber } from '../../src/options/rules.js';

/** What a flag or a variable comes to, or what is wrong with it. */
function read(rule: Rule, written: string): unknown {
  const value = rule.read?.(written) ?? written;
  return findProblem(rule, value) ?? value;
}

describe('what is typed', () => {
  test.each<[string, Rule, string, unknown]>([
    ['true', BOOLEAN, 'true', true],
    ['No', BOOLEAN, 'No', false],
    ['1', BOOLEAN, '1', true],
    ['OFF', BOOLEAN, 'OFF', false],
    ['a number', wholeNumber(), '20', 20],
    ['seconds', SECONDS, '0.5', 0.5],
    ['a delay', DELAY, '200', 200],
    ['a range', DELAY, '100-800', { from: 100, to: 800 }],
    ['a word', oneOf(['red', 'green']), 'red', 'red'],
    ['a date', DATE_TEXT, '2030-12-05', '2030-12-05'],
    ['a path', path('a path'), 'a/b', 'a/b'],
  ])('%s is read', (_, rule, written, value) => expect(read(rule, written)).toEqual(value));

  test.each<[Rule, string, string]>([
    [BOOLEAN, 'perhaps', 'must be true or false, not perhaps.'],
    [BOOLEAN, 'constructor', 'must be true or false, not constructor.'],
    [BOOLEAN, '', 'must be true or false, not an empty text.'],
    [wholeNumber(), '-1', 'must be a whole number from 0, not -1.'],
    [wholeNumber({ from: 1, of: ' of MiB' }), '0', 'must be a whole number of MiB from 1, not 0.'],
    [wholeNumber({ to: 9 }), '10', 'must be a whole number from 0 to 9, not 10.'],
    [SECONDS, '86401', 'must be a number of seconds, a day at most, not 86401.'],
    [DELAY, '9-1', 'is a reversed range, 9-1; write 1-9.'],
    [DATE_TEXT, '2030-02-30', 'must be a date such as 2030-12-05 or 2030-12-05T00:00:00Z, not 2030-02-30.'],
    [oneOf(['red', 'green']), 'gren', 'must be red or green, not gren; did you mean green?'],
    [text('a name'), ' ', 'must be a name, not  .'],
    [KEY, 'my secret', 'has a space, as character 3; a space ends a key in the Authorization header.'],
    [KEY, 'Bearer secret', 'begins with the word Bearer, which is not part of a key; leave that out.'],
  ])('%# is refused: %j', (rule, written, problem) => expect(read(rule, written)).toBe(problem));
});

describe('one value or several', () => {
  const names = several(text('a name'), 'a name, or several');

  test.each(['a', ['a'], ['a', 'b']])('%j will do', (value) => expect(findProblem(names, value)).toBeUndefined());

  test.each([[[]], [['a', '']], [7]])('%j will not', (value) => {
    expect(findProblem(names, value)).toMatch(/^must be a name, or several, not /);
  });

  test('what is wrong with one is told, without it where it is a secret', () => {
    expect(findProblem(several(KEY, 'keys'), ['good', 'my secret'])).toMatch(/^has a space, as character 3/);
    expect(findProblem(several(KEY, 'keys'), [])).toBe('must be keys.');
  });
});

test('of a long value the beginning is shown', () =>
  expect(findProblem(wholeNumber(), 'x'.repeat(100))).toBe(`must be a whole number from 0, not ${'x'.repeat(59)}….`));
