import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checks } from '../../../src/conformance/checks/index.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import type { Scenario } from '../../../src/conformance/model/scenario.js';
import { packageFile } from '../../../src/package-files.js';
import { shippedGaps } from '../../support/shipped.js';

const { scenarios } = planRun({});
const folder = packageFile('scenarios/contracts');
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
const schema = JSON.parse(readFileSync(packageFile('scenarios/scenario.schema.json'), 'utf8')) as object;
const choicesOf = (gap: string | undefined): string[] | undefined => {
  const found = shippedGaps.find(({ id }) => id === gap);
  if (found === undefined) return undefined;
  // Of an observation, what may stand in its list is named where the gap says what an item is.
  const items = found.kind === 'observation' ? listItems(found.item ?? '') : [];
  return [...Object.keys(found.choices), ...(items.length === 0 ? [] : ['none', ...items])];
};

/** `a (why), b` as `a` and `b`. */
function listItems(item: string): string[] {
  const [, list = item] = item.split('one of: ');
  return list.split(/, (?![^()]*\))/).flatMap((each) => /^[a-z-]+(?= \(|$)/.exec(each)?.[0] ?? []);
}

test.each(files)('%s keeps the schema of scenario files', (file) => {
  const validate = new Ajv2020({ strict: false }).compile(schema);
  validate(parse(readFileSync(`${folder}/${file}`, 'utf8'), { merge: true, intAsBigInt: false }));
  expect(validate.errors).toBeNull();
});

test('every file names the schema for editors', () => {
  for (const file of files) {
    expect(readFileSync(`${folder}/${file}`, 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/scenario\.schema\.json\n/,
    );
  }
});

/** The ids of the scenarios that do not keep a rule. */
const findOffenders = (keeps: (scenario: Scenario) => boolean): string[] =>
  scenarios.filter((scenario) => !keeps(scenario)).map(({ id }) => id);

test('what observes is of the last tier, and nothing of the first tier builds on a later one', () => {
  expect(findOffenders(({ gap, tier }) => gap === undefined || tier === 3)).toEqual([]);
  const tiers = new Map(scenarios.map(({ id, tier }) => [id, tier]));
  const isFirst = (id: string): boolean => tiers.get(id) === 1;
  expect(findOffenders(({ tier, dependsOn }) => tier !== 1 || dependsOn.every(isFirst))).toEqual([]);
  expect(new Set(tiers.values()).size).toBe(3);
});

test('every outcome is a choice of its gap', () => {
  const offenders = findOffenders(({ gap, steps, ...scenario }) =>
    steps
      .flatMap(({ outcomes }) => outcomes ?? [])
      .every(({ choice, needs }) => {
        const name = choice === '$case.id' ? String(scenario.case['id']) : (choice ?? '');
        return needs !== undefined || choicesOf(gap)?.includes(name) === true;
      }),
  );
  expect(offenders).toEqual([]);
});

const REGION = /(<!-- checks: .*-->\n)[\s\S]*?(<!-- \/checks -->)/;

test('the document about scenarios names every check that runs on every answer', async () => {
  const page = readFileSync(packageFile('docs/scenarios.md'), 'utf8');
  const list = checks.filter(({ onRequest }) => onRequest !== true).map(({ id, title }) => `- \`${id}\`: ${title}`);
  const expected = page.replace(REGION, (_, start: string, end: string) => `${start}\n${list.join('\n')}\n\n${end}`);
  expect(expected).toContain('- `json`: ');
  await expect(expected).toMatchFileSnapshot('../../../docs/scenarios.md');
});

test('titles are sentences without a full stop, and nothing is left to fill in', () =>
  expect(findOffenders(({ title }) => /^[^{}]*[^.{}]$/.test(title))).toEqual([]));

// Baselines, `--again` and CI viewers know scenarios by these; a change here breaks them.
test('the ids are stable', () => expect(scenarios.map(({ id }) => id)).toMatchSnapshot());
