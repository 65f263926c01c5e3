import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

/** A text that begins with a JSON Pointer to one path, or to one named component, of some document. */
const PLACE = /['"`]#?\/(?:paths\/~1|components\/[a-zA-Z]+\/\w)/;
const COMMENT = /^\s*(?:\/?\*|\/\/)/;

/** Asked of a document before it is used: by this name documents describe the errors that they do not list. */
const BY_CONVENTION = "export const ERROR_SCHEMA = '/components/schemas/Error';";

function listPlaces(text: string): string[] {
  return text.split('\n').filter((line) => PLACE.test(line) && !COMMENT.test(line) && line !== BY_CONVENTION);
}

test('no code names a place of one document: it finds them by the operations of the contract', () => {
  const entries = readdirSync(packageFile('src'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const found = files.flatMap((file) => listPlaces(readFileSync(file, 'utf8')).map((line) => `${file}: ${line}`));
  expect(found).toEqual([]);
});

test.each([
  "'/paths/~1pets/get'",
  "'/components/schemas/Pet'",
  '`/components/schemas/Pet/${part}`',
  "'#/paths/~1pets'",
])('the place %s is found', (code) => {
  expect(listPlaces(`const place = ${code};`)).toHaveLength(1);
});

test('the example in a comment, and a place put together of what a document has, are none', () => {
  expect(listPlaces('/** `#/paths/~1pets` */\nconst place = `/paths/${name}` + "/components/schemas";')).toEqual([]);
});
