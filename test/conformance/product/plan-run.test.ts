import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { packageFile } from '../../../src/package-files.js';
import { OWN_SCENARIO } from '../support/ask.js';
import { makeFolder } from '../../support/folder.js';

test('what ships is read once in a process', () => {
  const [first, second] = [planRun({}), planRun({ only: ['pets/lists/at-start*'] })];
  expect(second.contract).toBe(first.contract);
  expect(second.scenarios).toEqual(first.scenarios.filter(({ id }) => id.startsWith('pets/lists/at-start')));
  expect(second.scenarios.map(({ id }) => id)).toContain('pets/lists/at-start[status-sold]');
});

test('what does not ship is read at every run', () => {
  const file = join(makeFolder(), 'mine.yaml');
  const planWith = (text: string): string[] => {
    writeFileSync(file, text);
    return planRun({ scenarios: [file], only: ['mine/*'] }).scenarios.map(({ id }) => id);
  };
  expect(planWith(OWN_SCENARIO)).toEqual(['mine/own', 'pets/records/create']);
  expect(planWith(OWN_SCENARIO.replace('id: own', 'id: other'))).toEqual(['mine/other', 'pets/records/create']);
  const spec = packageFile('spec/petstore.openapi.yaml');
  expect(planRun({ spec }).contract).not.toBe(planRun({ spec }).contract);
});
