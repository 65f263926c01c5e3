import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../src/package-files.js';
import { ALL_BLOCKS } from './support/readme.js';

/** Schemas for files that people write, each with a sound file and one that is not. */
const WRITTEN_BY_PEOPLE: [string, unknown, unknown][] = [
  ['scenarios/scenario.schema.json', { scenarios: [] }, undefined],
  ['spec/conformance-baseline.schema.json', { known: [{ check: 'filter' }] }, { known: [] }],
  ['spec/fixtures.schema.json', { records: { orders: {} } }, { records: { 'orders(7)': [{ id: 1 }] } }],
  ['spec/resources.schema.json', { resources: { '/pets': { kee: 'id' } } }, { resources: { '/pets': false } }],
  ['spec/petstore-conformance.config.schema.json', { timeout: 'soon' }, { targets: { a: { url: 'http://a/v1' } } }],
];

function compile(name: string): ReturnType<Ajv2020['compile']> {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
  });
  ajv.addKeyword('x-expected');
  return ajv.compile(JSON.parse(readFileSync(packageFile(name), 'utf8')) as object);
}

test.each(WRITTEN_BY_PEOPLE)('%s takes what is sound and nothing else', (name, broken, sound) => {
  const validate = compile(name);
  expect(validate(broken)).toBe(false);
  expect(sound === undefined || validate(sound)).toBe(true);
});

const SCHEMAS = ['spec', 'scenarios'].flatMap((folder) =>
  readdirSync(packageFile(folder))
    .filter((name) => name.endsWith('.schema.json'))
    .map((name) => `${folder}/${name}`),
);

test.each(SCHEMAS)('%s has the address at which an editor gets it from the published package', (name) => {
  const { $id } = JSON.parse(readFileSync(packageFile(name), 'utf8')) as { $id: string };
  expect($id).toBe(`https://unpkg.com/petstore-mock/${name}`);
});

/** A file that tells an editor its schema, by a path from where it stands. */
type Referring = { name: string; schema: string; text: string };

const REFERENCE = /^# yaml-language-server: \$schema=(\S+)$/m;

/** The others speak of roles, which files of teams do not. */
const OF_CONTRACTS = 'scenarios/contracts';

const shipped: Referring[] = readdirSync(packageFile(OF_CONTRACTS)).map((file) => {
  const name = `${OF_CONTRACTS}/${file}`;
  const text = readFileSync(packageFile(name), 'utf8');
  return { name, text, schema: join(dirname(name), REFERENCE.exec(text)?.[1] ?? 'nothing') };
});

const shown: Referring[] = ALL_BLOCKS.flatMap(({ page, heading, language, text }) => {
  const [, path] = REFERENCE.exec(text) ?? [];
  if (language !== 'yaml' || path === undefined) return [];
  return [{ name: `${page}: ${heading}`, text, schema: path.replace('./node_modules/petstore-mock/', '') }];
});

describe('an editor finds the schema, and nothing to mend', () => {
  test.each([...shipped, ...shown])('$name', ({ schema, text }) => {
    expect(existsSync(packageFile(schema))).toBe(true);
    const validate = compile(schema);
    void validate(parse(text));
    expect(validate.errors).toBeNull();
  });

  test('of every file that people write, a page shows one with its schema', () => {
    expect(shown.map(({ schema }) => schema)).toEqual(
      expect.arrayContaining([...WRITTEN_BY_PEOPLE.map(([name]) => name), 'spec/petstore-mock.config.schema.json']),
    );
  });
});

test('every schema is in the package, and may be imported from it', () => {
  const { files, exports } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    files: string[];
    exports: Record<string, unknown>;
  };
  for (const folder of ['spec', 'scenarios']) {
    expect(files).toContain(folder);
    expect(exports[`./${folder}/*`]).toBe(`./${folder}/*`);
  }
});
