import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadScenarios } from '../../../src/conformance/scenarios/load-scenarios.js';
import type * as Scenarios from '../../../src/conformance/scenarios/load-scenarios.js';
import type * as Contracts from '../../../src/contract/contract.js';
import { loadContract, type Contract } from '../../../src/contract/contract.js';
import type * as Documents from '../../../src/contract/document/document.js';
import { escapePointer, parseSource } from '../../../src/contract/document/document.js';
import { precompile } from '../../../src/contract/precompile.js';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { requireForValidators } from '../../../src/contract/schemas/compile-schemas.js';
import { packageFile } from '../../../src/package-files.js';

const CONTRACT = 'spec/petstore.openapi.yaml';
const GAPS = 'spec/gaps.yaml';
const PRECOMPILED = packageFile('build/contract/document/precompiled');
const SCENARIOS = ['scenarios', 'scenarios/cases', 'scenarios/contracts'].flatMap((folder) =>
  readdirSync(packageFile(folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`),
);
const SHIPPED = [CONTRACT, GAPS, ...SCENARIOS];
const textOf = (file: string): string => readFileSync(packageFile(file), 'utf8');
const built = {
  ...((await import(packageFile('build/contract/document/document.js'))) as typeof Documents),
  ...((await import(packageFile('build/contract/contract.js'))) as typeof Contracts),
  ...((await import(packageFile('build/conformance/scenarios/load-scenarios.js'))) as typeof Scenarios),
};

test('what the build has written is what it would write now', () => {
  const modules = SHIPPED.map((file) => precompile({ file, text: textOf(file), isContract: file === CONTRACT }));
  expect(readdirSync(PRECOMPILED).toSorted(), 'npm run build').toEqual(modules.map(({ name }) => name).toSorted());
  for (const { name, code } of modules) {
    expect(readFileSync(`${PRECOMPILED}/${name}`, 'utf8') === code, 'npm run build').toBe(true);
  }
});

test.each(SHIPPED)('%s, precompiled, has the same content at the same places', (file) => {
  const options = { shownAs: file, code: 'unusable-contract' as const };
  const precompiled = built.parseSource(textOf(file), options);
  const read = parseSource(textOf(file), options);
  const pointers = [...listPointers(read.root, ''), '/nowhere', '/paths/~1pets/nowhere/below'];
  expect(precompiled.root).toEqual(read.root);
  expect(pointers.length).toBeGreaterThan(10);
  expect(pointers.map((each) => precompiled.placeOf(each))).toEqual(pointers.map((each) => read.placeOf(each)));
  expect([read.createValidators, precompiled.createValidators !== undefined]).toEqual([undefined, file === CONTRACT]);
  expect([read.isPrecompiled, precompiled.isPrecompiled]).toEqual([false, true]);
});

test('a text that differs in a single character is read anew', () => {
  const text = textOf(CONTRACT).replace('maximum: 100', 'maximum: 101');
  const document = built.parseSource(text, { shownAs: 'changed.yaml', code: 'unusable-contract' });
  expect([document.createValidators, document.isPrecompiled]).toEqual([undefined, false]);
  expect(document.at('/paths/~1pets/get/parameters/0/schema/maximum')).toBe(101);
});

test('the resources that the build has inferred are those that are inferred now', () => {
  const ready = built.loadContract(packageFile(CONTRACT), { trusted: true, shownAs: CONTRACT });
  const read = loadContract(packageFile(CONTRACT), { shownAs: CONTRACT });
  expect([ready.document.resources !== undefined, read.document.resources]).toEqual([true, undefined]);
  expect(inferResources(ready)).toEqual(inferResources(read));
  expect(inferResources(ready).resources[0]?.operations[0]?.operation).toBe(ready.operations[0]);
});

test('the scenarios that ship come to the same, precompiled or read', () => {
  const path = packageFile('scenarios');
  const options = { shownAs: CONTRACT, trusted: true };
  const precompiled = built.loadScenarios([path], built.loadContract(packageFile(CONTRACT), options));
  expect(precompiled).toEqual(loadScenarios([path], loadContract(packageFile(CONTRACT), options)));
  expect(precompiled.length).toBeGreaterThan(240);
});

const PET = { id: 1, name: 'Rex', categoryId: 1 };
const ODD = [{ status: 'gone' }, { id: 1.5 }, { id: 2n ** 63n }, { id: 2n ** 63n - 1n }, { extra: true }, { name: 5 }];
const PETS = [PET, ...ODD.map((each) => Object.assign({}, PET, each)), { ...PET, categoryId: null }, { id: 1 }];
const LISTS = [PETS, [], [PET, { ...PET, id: 'x' }, 3], Array.from({ length: 101 }, () => PET)];
const ERROR = { code: 'x', message: 'y', status: 400 };
const ERRORS = [ERROR, { code: 1, message: 'y' }, { ...ERROR, status: '400' }];
const VALUES = [PETS, LISTS, ERRORS, [0, 1, 100, 101, 1.5, 'sold', 'Sold', 'text', {}, null]].flat(1);

test('precompiled validators find the same violations as those that are compiled at the start', () => {
  const precompiled = built.loadContract(packageFile(CONTRACT), { shownAs: CONTRACT });
  const read = loadContract(packageFile(CONTRACT), { shownAs: CONTRACT });
  const pointers = Object.keys(precompiled.document.createValidators?.(requireForValidators).answers ?? {});
  expect(pointers.length).toBeGreaterThan(10);
  const found = judge(read, pointers);
  expect(judge(precompiled, pointers)).toEqual(found);
  expect(found.filter((violations) => violations.length > 0).length).toBeGreaterThan(100);
});

test('a contract that ships has every schema of its messages precompiled', () => {
  const { document, operations } = built.loadContract(packageFile(CONTRACT), { shownAs: CONTRACT });
  const sent = operations.flatMap(({ parameters, requestBody }) => [...parameters, ...(requestBody?.content ?? [])]);
  const answered = operations.flatMap(({ responses }) => responses.flatMap(({ content }) => content));
  const pointers = (list: { schemaPointer: string | undefined }[]): unknown[] =>
    list.map(({ schemaPointer }) => schemaPointer);
  const validators = document.createValidators?.(requireForValidators);
  expect(Object.keys(validators?.requests ?? {})).toEqual(expect.arrayContaining(pointers(sent)));
  expect(Object.keys(validators?.answers ?? {})).toEqual(expect.arrayContaining(pointers(answered)));
});

function judge(contract: Contract, pointers: readonly string[]): unknown[][] {
  return pointers.flatMap((pointer) => VALUES.map((value) => contract.validate.value(pointer, value)));
}

function listPointers(value: unknown, pointer: string): string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  const inside = Object.entries(value).flatMap(([key, item]) => listPointers(item, `${pointer}/${escapePointer(key)}`));
  return [pointer, ...inside];
}
