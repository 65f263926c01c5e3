import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

/** What only the petstore's contract calls its operations, fields and values, and where it has its pets. */
const NAMES = /\b(?:listPets|createPet|getPet|petId|categoryId)\b|'(?:available|sold)'|['`]\/pets\b/;

/** Where a pet may be named: the library's `pets`, what packs of fixtures call them, and the words of help. */
const OF_PETS = [
  'cli/mock/options.ts',
  'cli/mock/parse-fault.ts',
  'mock/faults/check-fault.ts',
  'mock/fixtures/',
  'server/admin/pet-handlers.ts',
  'server/handles/pets.ts',
  'server/petstore-world.ts',
  'testing/remote-world.ts',
];

/** What is left of the petstore's own rules beside those for any contract: this list gets shorter, and never longer. */
const STILL_NAMED: readonly string[] = [
  'conformance/explain/follows/as-unknown.ts',
  'conformance/explain/follows/of-fields.ts',
  'conformance/explain/follows/of-ids.ts',
  'conformance/explain/follows/of-pages.ts',
  'conformance/explain/headline.ts',
  'conformance/explain/requests.ts',
  'conformance/explain/sign.ts',
  'conformance/explain/whose-pet.ts',
  'conformance/judge/contains.ts',
  'conformance/judge/echo.ts',
  'conformance/judge/lacking-pets.ts',
  'conformance/judge/left-behind.ts',
  'conformance/judge/listed.ts',
  'conformance/judge/new-id.ts',
  'conformance/judge/none-refused.ts',
  'conformance/judge/pets.ts',
  'conformance/judge/same-pet.ts',
  'conformance/judge/status.ts',
  'conformance/judge/stored-once.ts',
  'conformance/judge/target-memory.ts',
  'conformance/model/options.ts',
  'conformance/product/check-options.ts',
  'conformance/product/run-conformance.ts',
  'conformance/run/find-created.ts',
  'conformance/run/gaps/observers/name-characters.ts',
  'conformance/run/gaps/observers/removal.ts',
  'conformance/run/gaps/observers/status-after-create.ts',
  'conformance/run/gaps/observers/watched.ts',
  'conformance/run/note-answer.ts',
  'conformance/run/probe/find-api.ts',
  'conformance/run/probe/probe-target.ts',
  'conformance/run/read-answer.ts',
  'conformance/run/run-exchange.ts',
  'conformance/run/second-look/ask-again.ts',
  'conformance/run/second-look/is-nowhere.ts',
  'conformance/run/second-look/is-page-short.ts',
  'conformance/run/second-look/judge-absence.ts',
  'conformance/run/second-look/judge-status.ts',
  'conformance/run/second-look/look-by-status.ts',
  'conformance/run/series/ask-for-less.ts',
  'conformance/subjects/records/made-records.ts',
  'conformance/subjects/subject.ts',
  'conformance/wire/request/contract-values.ts',
  'conformance/wire/request/prepare-request.ts',
  'contract/resources/plain-roles.ts',
  'mock/operations/field-gaps.ts',
  'mock/operations/petstore-gaps.ts',
  'mock/values/create-maker.ts',
];

/** The files whose code has a name of the petstore; what a comment says is an example. */
function listNaming(files: Record<string, string>): string[] {
  return Object.entries(files)
    .filter(([, text]) => NAMES.test(withoutComments(text)))
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

test('no code but what is listed has a name of the petstore, and what is listed has one', () => {
  const naming = listNaming(readSources()).filter((path) => !OF_PETS.some((each) => path.startsWith(each)));
  expect(naming.toSorted()).toEqual([...STILL_NAMED].sort());
});

test('a name in code is found, and one in a comment is none', () => {
  const files = {
    'one.ts': "if (operation.id === 'createPet') return;\n",
    'two.ts': '// such as createPet\nconst path = `/${name}`; /* petId */\n',
    'three.ts': "const status = 'sold';\n",
  };
  expect(listNaming(files)).toEqual(['one.ts', 'three.ts']);
});
