import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { planRun } from '../../src/conformance/run-conformance.js';
import { packageFile } from '../../src/package-files.js';
import { shippedContract, shippedGaps } from '../support/shipped.js';

const { scenarios } = planRun({});
const folder = packageFile('scenarios');
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
const schema = JSON.parse(readFileSync(`${folder}/scenario.schema.json`, 'utf8')) as object;
const choicesOf = (gap: string | undefined): string[] | undefined => {
  const found = shippedGaps.find(({ id }) => id === gap);
  return found === undefined ? undefined : Object.keys(found.choices);
};

test.each(files)('%s keeps the schema of scenario files', (file) => {
  const validate = new Ajv2020({ strict: false }).compile(schema);
  validate(parse(readFileSync(`${folder}/${file}`, 'utf8'), { merge: true, intAsBigInt: false }));
  expect(validate.errors).toBeNull();
});

test('every file names the schema for editors', () => {
  for (const file of files) {
    expect(readFileSync(`${folder}/${file}`, 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/scenario\.schema\.json\n/,
    );
  }
});

test('every scenario rests on a pointer that the contract has, or on a section', () => {
  for (const { id, basis } of scenarios) {
    if (basis.startsWith('#')) expect(shippedContract.document.at(basis.slice(1)), `${id}: ${basis}`).toBeDefined();
    else expect(basis, id).toMatch(/^section [1-9](\.[1-9])?$/);
  }
});

test('every gap is one of gaps.yaml', () => {
  for (const { id, gap } of scenarios) if (gap !== undefined) expect(choicesOf(gap), `${id}: ${gap}`).toBeDefined();
});

test('every outcome is a choice of its gap', () => {
  for (const { id, gap, steps } of scenarios) {
    for (const { choice } of steps.flatMap(({ outcomes }) => outcomes ?? [])) {
      expect(choicesOf(gap), `${id}: ${choice}`).toContain(choice);
    }
  }
});

test('a scenario has outcomes where it observes a gap, and only there', () => {
  for (const { id, gap, steps } of scenarios) {
    expect(
      steps.some(({ outcomes }) => outcomes !== undefined),
      id,
    ).toBe(gap !== undefined);
  }
});

test('every scenario expects something', () => {
  for (const { id, steps } of scenarios) {
    expect(
      steps.some(({ expect: expected, outcomes }) => expected?.status !== undefined || outcomes !== undefined),
      id,
    ).toBe(true);
  }
});

test('titles are sentences without a full stop, and nothing is left to fill in', () => {
  for (const { id, title } of scenarios) expect(title, id).toMatch(/^[^{}]*[^.{}]$/);
});

// Baselines, `--again` and CI viewers know scenarios by these; a change here breaks them.
test('the ids are stable', () => {
  expect(scenarios.map(({ id }) => id)).toMatchSnapshot();
});
