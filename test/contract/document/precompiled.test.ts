import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type * as Contracts from '../../../src/contract/contract.js';
import { parseContract, type Contract } from '../../../src/contract/contract.js';
import type * as Documents from '../../../src/contract/document/document.js';
import { escapePointer, parseSource } from '../../../src/contract/document/document.js';
import { precompile } from '../../../src/contract/precompile.js';
import { requireForValidators } from '../../../src/contract/schemas/exact-number-keyword.js';
import { packageFile } from '../../../src/package-files.js';

const CONTRACT = 'spec/petstore.openapi.yaml';
const GAPS = 'spec/gaps.yaml';
const PRECOMPILED = packageFile('dist/contract/document/precompiled.generated.cjs');
const textOf = (file: string): string => readFileSync(packageFile(file), 'utf8');
const built = {
  ...((await import(packageFile('dist/contract/document/document.js'))) as typeof Documents),
  ...((await import(packageFile('dist/contract/contract.js'))) as typeof Contracts),
};

test('what the build has written is what it would write now', () => {
  const texts = [CONTRACT, GAPS].map((file) => ({ file, text: textOf(file), isContract: file === CONTRACT }));
  expect(readFileSync(PRECOMPILED, 'utf8') === precompile(texts), 'npm run build').toBe(true);
});

test.each([CONTRACT, GAPS])('%s, precompiled, has the same content at the same places', (file) => {
  const options = { shownAs: file, code: 'unusable-contract' as const };
  const precompiled = built.parseSource(textOf(file), options);
  const read = parseSource(textOf(file), options);
  const pointers = [...listPointers(read.root, ''), '/nowhere', '/paths/~1pets/nowhere/below'];
  expect(precompiled.root).toEqual(read.root);
  expect(pointers.length).toBeGreaterThan(100);
  expect(pointers.map((pointer) => precompiled.placeOf(pointer))).toEqual(
    pointers.map((pointer) => read.placeOf(pointer)),
  );
  expect([read.createValidators, precompiled.createValidators !== undefined]).toEqual([undefined, file === CONTRACT]);
});

test('a text that differs in a single character is read anew', () => {
  const text = textOf(CONTRACT).replace('maximum: 100', 'maximum: 101');
  const document = built.parseSource(text, { shownAs: 'changed.yaml', code: 'unusable-contract' });
  expect(document.createValidators).toBeUndefined();
  expect(document.at('/paths/~1pets/get/parameters/0/schema/maximum')).toBe(101);
});

const PET = { id: 1, name: 'Rex', categoryId: 1 };
const PETS = [
  PET,
  { ...PET, status: 'gone' },
  { ...PET, id: 1.5 },
  { ...PET, id: 2n ** 63n },
  { ...PET, id: 2n ** 63n - 1n },
  { ...PET, extra: true },
  { ...PET, name: 5 },
  { ...PET, categoryId: null },
  { id: 1 },
];
const LISTS = [PETS, [], [PET, { ...PET, id: 'x' }, 3], Array.from({ length: 101 }, () => PET)];
const ERRORS = [
  { code: 'x', message: 'y', status: 400 },
  { code: 1, message: 'y' },
  { code: 'x', message: 'y', status: '400' },
];
const VALUES = [PETS, LISTS, ERRORS, [0, 1, 100, 101, 1.5, 'sold', 'Sold', 'text', {}, null]].flat(1);

test('precompiled validators find the same violations as those that are compiled at the start', () => {
  const precompiled = built.parseContract(textOf(CONTRACT), { shownAs: CONTRACT });
  const read = parseContract(textOf(CONTRACT), { shownAs: CONTRACT });
  const pointers = Object.keys(precompiled.document.createValidators?.(requireForValidators).answers ?? {});
  expect(pointers.length).toBeGreaterThan(10);
  const found = judge(read, pointers);
  expect(judge(precompiled, pointers)).toEqual(found);
  expect(found.filter((violations) => violations.length > 0).length).toBeGreaterThan(100);
});

test('a contract that ships has every schema of its messages precompiled', () => {
  const { document, operations } = built.parseContract(textOf(CONTRACT), { shownAs: CONTRACT });
  const sent = operations.flatMap(({ parameters, requestBody }) => [...parameters, ...(requestBody?.content ?? [])]);
  const answered = operations.flatMap(({ responses }) => responses.flatMap(({ content }) => content));
  const pointers = (list: { schemaPointer: string | undefined }[]): unknown[] =>
    list.map(({ schemaPointer }) => schemaPointer);
  const validators = document.createValidators?.(requireForValidators);
  expect(Object.keys(validators?.requests ?? {})).toEqual(expect.arrayContaining(pointers(sent)));
  expect(Object.keys(validators?.answers ?? {})).toEqual(expect.arrayContaining(pointers(answered)));
});

const HEAVY = ['yaml', 'ajv', 'ajv-formats', '@faker-js/faker', 'express', 'commander'];

test.each([
  ['as it ships', '{}', []],
  ['with a document of the user', `{ spec: '${packageFile(CONTRACT)}' }`, []],
  ['with animals to generate', '{ count: 60 }', ['yaml', '@faker-js/faker']],
])('started %s, the library loads no package that it can do without', (_, options, expected) => {
  const script = `
    import { createRequire } from 'node:module';
    import { startPetstoreMock } from '${packageFile('dist/index.js')}';
    const mock = await startPetstoreMock(${options});
    await (await fetch(mock.url + '/pets?limit=0', { headers: { Authorization: 'Bearer petstore-dev-key' } })).text();
    console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));
    await mock.close();`;
  const files = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const loaded = HEAVY.filter((name) => files.includes(`/node_modules/${name}/`));
  expect(loaded).toEqual(expected);
});

function judge(contract: Contract, pointers: readonly string[]): unknown[][] {
  return pointers.flatMap((pointer) => VALUES.map((value) => contract.validate.value(pointer, value)));
}

function listPointers(value: unknown, pointer: string): string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  const inside = Object.entries(value).flatMap(([key, item]) => listPointers(item, `${pointer}/${escapePointer(key)}`));
  return [pointer, ...inside];
}
