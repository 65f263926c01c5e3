import { describe, expect, test } from 'vitest';
import { createConfigSchema } from '../../../src/cli/conformance/config.js';
import { PETSTORE_CONFORMANCE } from '../../../src/cli/conformance/options.js';
import { findProblem } from '../../../src/options/rule.js';
import { compileSchema } from '../../../src/contract/check-against-schema.js';

const validate = compileSchema(createConfigSchema());

/** What the command line makes of a text, or says of it. */
function readOption(name: string, text: string): unknown {
  const rule = PETSTORE_CONFORMANCE.options[name]?.rule;
  if (rule === undefined) throw new Error(`there is no option ${name}`);
  const value = rule.read?.(text) ?? text;
  return findProblem(rule, value) ?? value;
}

test.each([
  ['timeout', '1e3', 'takes a number from 0, not 1e3.'],
  ['timeout', '0', 'takes a number above 0.'],
  ['timeout', '', 'is empty; leave it out, or give it a value.'],
  ['rate', '5/s', 'takes a number from 0 without a unit, not 5/s.'],
  ['read-only', 'perhaps', 'takes true or false, not perhaps.'],
  ['header', 'Secret-1', 'must be written as "Name: value".'],
  ['api-key', ' ', 'takes a non-empty text.'],
  ['timeout', '0.5', 0.5],
  ['read-only', 'on', true],
  ['report', 'html,json', 'html,json'],
])('the command line: --%s %j is %j', (name, text, read) => expect(readOption(name, text)).toEqual(read));

describe('the schema of the config file', () => {
  test.each<[string, unknown[], unknown[]]>([
    ['timeout', [1, 0.5], [0, 'soon', -1]],
    ['concurrency', [1], [0, 1.5]],
    ['report', ['json', ['pretty', 'html']], ['jsn', []]],
    ['only', ['pets/lists/*', ['pets/lists/*']], ['', 1]],
    ['api-key-env', ['STAGING_KEY'], ['Very-Secret']],
    ['headers', [{ 'X-Trace': 'a', 'X-Key': { env: 'KEY' } }], [{ 'X-Key': {} }, 'X-Trace: 1']],
    ['api-key', [], ['a-secret']],
    ['again', [], ['pets/records/get']],
  ])('knows the values of %s, for all targets and for one', (name, right, wrong) => {
    const inTarget = (value: unknown): object => ({ targets: { a: { url: 'http://a/v1', [name]: value } } });
    for (const value of right) expect([validate({ [name]: value }), validate(inTarget(value))]).toEqual([true, true]);
    for (const value of wrong) expect([validate({ [name]: value }), validate(inTarget(value))]).toEqual([false, false]);
  });

  test('only a target has a url, and only the file a target', () => {
    expect(validate({ url: 'http://a/v1' })).toBe(false);
    expect(validate({ target: 'a' })).toBe(true);
    expect(validate({ targets: { a: { url: 'http://a/v1', target: 'b' } } })).toBe(false);
  });
});
