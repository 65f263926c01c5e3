import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { OPTIONS } from '../../../src/cli/mock/options.js';
import { PETSTORE_MOCK } from '../../../src/cli/mock/options.js';
import { listFrom, variableOf } from '../../../src/cli/options/define-options.js';
import { listShippedPacks } from '../../../src/mock/fixtures/load-fixtures.js';
import { OF_A_SERVER } from '../../../src/options/petstore-options.js';
import { findProblem } from '../../../src/options/rule.js';
import { packageFile } from '../../../src/package-files.js';
import { words } from '../../support/words.js';

type Schema = { properties: Record<string, { default?: unknown; examples?: unknown[]; description: string }> };

const schema = JSON.parse(readFileSync(packageFile('spec/petstore-mock.config.schema.json'), 'utf8')) as Schema;
const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);
const { options } = PETSTORE_MOCK;

test('the program has every option of the library', () => {
  const rules = Object.values(options).map(({ rule }) => rule);
  // Of these five the program takes other than the library: files and texts in place of objects, functions and milliseconds.
  const others = ['handlers', 'profile', 'credentials', 'faults', 'now'];
  const left = Object.entries(OF_A_SERVER).filter(([, rule]) => !rules.includes(rule));
  expect(left.map(([name]) => name)).toEqual(others);
  expect(Object.keys(options)).toEqual(expect.arrayContaining(['handlers', 'profile', 'credential', 'now', 'fault']));
});

describe('the schema of the config file', () => {
  test('gives each option a sentence', () => {
    for (const { description } of Object.values(schema.properties)) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  test('offers the packs that ship', () => {
    expect(schema.properties['fixtures']?.examples).toEqual(listShippedPacks());
    expect(OPTIONS.fixtures.help).toContain(`(${listShippedPacks().join(', ')})`);
  });

  test.each<[string, unknown[], unknown[]]>([
    ['port', [0, 4010, 65_535], [-1, 65_536, 1.5, '4010', null]],
    ['host', ['0.0.0.0', '::1'], ['', ' ', 1]],
    ['api-key', ['key', ['one', 'two']], ['', 'two words', [], ['a', ''], 7]],
    ['api-key-file', ['keys'], ['', 7]],
    ['credential', ['basicAuth=rex:secret', ['one=a', 'two=b=c']], ['', 'basicAuth', '=secret', 'basicAuth=', [], 7]],
    ['spec', ['api.yaml'], ['', 7]],
    ['count', [0, 5], [-1, 1.5, '5']],
    ['delay', [0, 200, 1.5, '200', '100-800'], [-1, 'fast', '100-', '-5', 86_400_001]],
    ['fault', ['createPet:500:after:times=2', ['*:reset', 'getPet:delay=1-2']], ['', 'createPet', ':500', [], [''], 7]],
    ['now', ['2030-12-05', '2030-12-05T00:00:00Z'], ['', 'today', '2030-12', '2030-12-05T00:00', 7]],
    ['max-worlds', [1, 5], [0, -1, 1.5, '5']],
    ['allow-outside-refs', [true, false], ['yes', 1]],
    ['shared', ['redis://h', 'rediss://u:p@h:1/2?prefix=a'], ['', 'h:6379', 'http://h', 7]],
    ['max-memory', [1, 256], [0, -1, 1.5, '5']],
    ['drain', [0, 5, 0.5], [-1, '5', 86_401]],
    ['log', ['pretty', 'json', 'silent'], ['', 'prety', 1]],
  ])('and the program agree on the values of %s', (name, right, wrong) => {
    for (const value of right) {
      expect([value, validate({ [name]: value }), explain(name, value)]).toEqual([value, true, undefined]);
    }
    for (const value of wrong) {
      expect([value, validate({ [name]: value })]).toEqual([value, false]);
      expect(explain(name, value)).toMatch(/^(?:must|has) .*[.?]$/);
    }
  });
});

/** What the program says of a value of its config file. */
function explain(name: string, value: unknown): string | undefined {
  const { rule } = options[name] ?? OPTIONS.port;
  return findProblem(rule, rule.isTextInFile === true && typeof value === 'string' ? rule.read?.(value) : value);
}

test('every option has a variable, and only keys have one of their own', () => {
  expect(listFrom(options, 'environment').map(([name]) => variableOf(PETSTORE_MOCK, name))).toEqual(words`
    PETSTORE_MOCK_PORT PETSTORE_MOCK_HOST PETSTORE_MOCK_SPEC PETSTORE_MOCK_RESOURCES PETSTORE_MOCK_PROFILE
    PETSTORE_MOCK_HANDLERS PETSTORE_MOCK_PRISM PETSTORE_MOCK_ALLOW_OUTSIDE_REFS PETSTORE_MOCK_ALLOW_REMOTE_REFS
    PETSTORE_MOCK_ALLOW_PRIVATE_HOSTS PETSTORE_MOCK_FIXTURES PETSTORE_MOCK_COUNT PETSTORE_MOCK_SEED PETSTORE_MOCK_NOW
    PETSTORE_MOCK_DATA PETSTORE_MOCK_DATA_SYNC PETSTORE_MOCK_SHARED PETSTORE_MOCK_DELAY PETSTORE_MOCK_FAULT
    PETSTORE_API_KEY PETSTORE_MOCK_API_KEY_FILE PETSTORE_CREDENTIALS PETSTORE_MOCK_CORS PETSTORE_MOCK_ADMIN
    PETSTORE_MOCK_ADMIN_TOKEN PETSTORE_MOCK_MAX_PETS PETSTORE_MOCK_MAX_WORLDS PETSTORE_MOCK_MAX_MEMORY
    PETSTORE_MOCK_DRAIN PETSTORE_MOCK_CONFIG PETSTORE_MOCK_WATCH PETSTORE_MOCK_LOG
  `);
});
