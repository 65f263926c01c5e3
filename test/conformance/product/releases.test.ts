import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { readAsOf, RELEASES } from '../../../src/conformance/subjects/grammars/releases.js';

const THREE = [
  { version: '1.0.0', seed: undefined },
  { version: '1.1.0', seed: 1 },
  { version: '1.2.0', seed: 2 },
];

test('a run as of a release has what came with it and before it, and draws with its seed', () => {
  const asOf = readAsOf('1.1.0', THREE);
  expect(asOf.seed).toBe(1);
  expect([undefined, '1.0.0', '1.1.0', '1.2.0'].map((since) => asOf.has(since))).toEqual([true, true, true, false]);
  expect(readAsOf(undefined, THREE)).toMatchObject({ version: '1.2.0', seed: 2 });
});

test('a release that is not known is refused, with those that are', () => {
  expect(() => readAsOf('0.9', THREE)).toThrow(
    '--as-of must be a release that this version knows (1.0.0, 1.1.0, 1.2.0), not 0.9.',
  );
});

test('each release has a seed of its own, and the package is the last of them or the one before', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  // Beside it at most the one under way, with which the next version will be published.
  expect(RELEASES.map((each) => each.version).slice(-2)).toContain(version);
  expect(new Set(RELEASES.map(({ seed }) => seed)).size).toBe(RELEASES.length);
});

test('as of the first release, nothing is drawn and nothing newer is asked', () => {
  const ids = (asOf?: string): string[] =>
    planRun({ spec: 'test/conformance/subjects/support/depot.openapi.yaml', asOf }).scenarios.map(({ id }) => id);
  const [first, latest] = [ids('1.0.0'), ids()];
  const added = latest.filter((id) => !first.includes(id));
  expect(first.every((id) => latest.includes(id))).toBe(true);
  expect(added.some((id) => id.includes('/written-field['))).toBe(true);
  expect(first.some((id) => /written-|equal-texts/.test(id))).toBe(false);
  const near = /-(?:past-its-format|no-month-has|without-a-zone|with-a-line-behind-it)/;
  expect([first, latest].map((all) => all.some((id) => near.test(id)))).toEqual([false, true]);
});
