import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPTIONS } from '../../src/cli/conformance-options.js';
import { packageFile } from '../../src/package-files.js';
import { reportFormats } from '../../src/report/index.js';

const { $defs } = JSON.parse(readFileSync(packageFile('spec/petstore-conformance.config.schema.json'), 'utf8')) as {
  $defs: {
    options: { properties: Record<string, { type?: string; description: string }> };
    format: { enum: string[] };
  };
};
const { properties } = $defs.options;

/** What only a file has: a secret's variable, and header fields by name. */
const OF_THE_FILE = ['api-key-env', 'cert-passphrase-env', 'headers'];

test('the schema of the config file has every option that may stand there, and no other', () => {
  const inFile = OPTIONS.filter(({ name, only }) => only === undefined && name !== 'target').map(({ name }) => name);
  expect(Object.keys(properties).toSorted()).toEqual([...inFile, ...OF_THE_FILE].toSorted());
});

test('a switch is a boolean there, and a path says from where it is meant', () => {
  for (const { name, kind, isPath } of OPTIONS.filter(({ only }) => only === undefined)) {
    if (kind === 'switch') expect([name, properties[name]?.type]).toEqual([name, 'boolean']);
    if (isPath === true)
      expect([name, properties[name]?.description]).toEqual([name, expect.stringContaining('; relative to this file')]);
  }
});

test('it knows every format of reports', () => {
  expect($defs.format.enum).toEqual(Object.keys(reportFormats));
});
