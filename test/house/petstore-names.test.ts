import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

/** What only the petstore's contract calls its operations, fields and values, and where it has its pets. */
const NAMES = /\b(?:listPets|createPet|getPet|petId|categoryId)\b|'(?:available|sold)'|['`]\/pets\b/;

/** A text that begins with a JSON Pointer to one path, or to one named component, of some document. */
const PLACE = /['"`]#?\/(?:paths\/~1|components\/[a-zA-Z]+\/\w)/;

/** Asked of a document before it is used: by this name documents describe the errors that they do not list. */
const BY_CONVENTION = "export const ERROR_SCHEMA = '/components/schemas/Error';";

/** Where a pet may be named: the library's `pets`, what packs of fixtures call them, and the words of help. */
const OF_PETS: readonly string[] = [
  'cli/mock/options.ts',
  'mock/fixtures/',
  'server/admin/handlers.ts',
  'server/petstore-world.ts',
  'testing/remote-world.ts',
];

/** What is `available` in English. */
const WORDS = 'mock/values/create-maker.ts';

/** The files whose code has a name of the petstore, or the place of a document; what a comment says is an example. */
function listNaming(files: Record<string, string>, names = NAMES): string[] {
  return Object.entries(files)
    .filter(([, text]) => names.test(withoutComments(text).replace(BY_CONVENTION, '')))
    .map(([path]) => path);
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/(?:^|\s)\/\/ .*$/gm, '');
}

function readSources(): Record<string, string> {
  const paths = readdirSync(packageFile('src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(packageFile(`src/${path}`), 'utf8')]));
}

test('no code has a name of the petstore, but where its pets are served and told of', () => {
  const naming = listNaming(readSources()).filter((path) => path !== WORDS);
  expect(naming.filter((path) => !OF_PETS.some((each) => path.startsWith(each)))).toEqual([]);
  expect(OF_PETS.filter((each) => !naming.some((path) => path.startsWith(each)))).toEqual([]);
});

test('no code names a place of one document: it finds them by the operations of the contract', () =>
  expect(listNaming(readSources(), PLACE)).toEqual([]));

test.each([
  "'/paths/~1pets/get'",
  "'/components/schemas/Pet'",
  '`/components/schemas/Pet/${part}`',
  "'#/paths/~1pets'",
])('the place %s is found', (code) => {
  expect(listNaming({ 'one.ts': `const place = ${code};\n` }, PLACE)).toEqual(['one.ts']);
});

test('the example in a comment, and a place put together of what a document has, are none', () => {
  const text = '/** `#/paths/~1pets` */\nconst place = `/paths/${name}` + "/components/schemas";';
  expect(listNaming({ 'one.ts': text }, PLACE)).toEqual([]);
});

test('a name in code is found, and one in a comment is none', () => {
  const files = {
    'one.ts': "if (operation.id === 'createPet') return;\n",
    'two.ts': '// such as createPet\nconst path = `/${name}`; /* petId */\n',
    'three.ts': "const status = 'sold';\n",
  };
  expect(listNaming(files)).toEqual(['one.ts', 'three.ts']);
});
