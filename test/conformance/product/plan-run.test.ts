import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { packageFile } from '../../../src/package-files.js';
import { OWN_SCENARIO } from '../support/ask.js';
import { makeFolder } from '../../support/folder.js';

test('what ships is read once in a process', () => {
  const [first, second] = [planRun({}), planRun({ only: ['list/*'] })];
  expect(second.contract).toBe(first.contract);
  expect(second.scenarios).toEqual(first.scenarios.filter(({ id }) => id.startsWith('list/')));
});

test('what does not ship is read at every run', () => {
  const file = join(makeFolder(), 'mine.yaml');
  const planWith = (text: string): string[] => {
    writeFileSync(file, text);
    return planRun({ scenarios: [file], only: ['mine/*'] }).scenarios.map(({ id }) => id);
  };
  expect(planWith(OWN_SCENARIO)).toEqual(['create/minimal', 'mine/own']);
  expect(planWith(OWN_SCENARIO.replace('id: own', 'id: other'))).toEqual(['create/minimal', 'mine/other']);
  const spec = packageFile('spec/petstore.openapi.yaml');
  expect(planRun({ spec }).contract).not.toBe(planRun({ spec }).contract);
});

test('why the collection is not filled is what the contract lacks, or what was not selected', () => {
  const spec = join(makeFolder(), 'pets.yaml');
  const text = readFileSync(packageFile('spec/petstore.openapi.yaml'), 'utf8');
  writeFileSync(spec, text.replace('operationId: createPet\n', 'operationId: createPets\n'));
  expect(planRun({ spec }).leftOutFilling).toMatch(/^the run can create no more, since .*createPet; a target/);
  expect(planRun({ only: ['list/*'] }).leftOutFilling).toContain("add --only 'limits/fill'");
  expect(planRun({}).leftOutFilling).toBeUndefined();
});
