import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPTIONS } from '../../../src/cli/conformance/options.js';
import { packageFile } from '../../../src/package-files.js';
import { reportFormats } from '../../../src/report/index.js';

const { $defs } = JSON.parse(readFileSync(packageFile('spec/petstore-conformance.config.schema.json'), 'utf8')) as {
  $defs: {
    options: { properties: Record<string, { type?: string; description: string }> };
    format: { enum: string[] };
  };
};
const { properties } = $defs.options;

/** What only a file has: a secret's variable, and header fields by name. */
const OF_THE_FILE = ['api-key-env', 'cert-passphrase-env', 'headers'];

const inFile = OPTIONS.filter(({ only, name }) => only === undefined && name !== 'target');

test('the schema of the config file has every option that may stand there, and no other', () => {
  const names = inFile.map(({ name }) => name);
  expect(Object.keys(properties).toSorted()).toEqual([...names, ...OF_THE_FILE].toSorted());
});

test.each(inFile.filter(({ kind }) => kind === 'switch'))('$name is a switch, and a boolean there', ({ name }) => {
  expect(properties[name]?.type).toBe('boolean');
});

test.each(inFile.filter(({ isPath }) => isPath))('$name is a path, and says from where it is meant', ({ name }) => {
  expect(properties[name]?.description).toContain('; relative to this file');
});

test('it knows every format of reports', () => {
  expect($defs.format.enum).toEqual(Object.keys(reportFormats));
});
