import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeDefault, loadGaps } from '../../src/contract/gaps/gaps.js';
import { packageFile } from '../../src/package-files.js';
import { formatTable } from '../support/markdown-table.js';

const REGION = /(<!-- gaps: .*-->\n)[\s\S]*(<!-- \/gaps -->)/;

// `npx vitest run test/e2e/readme-gaps.test.ts -u` writes it anew.
test("the README's table of what the mock decides is the one of spec/gaps.yaml", async () => {
  const readme = readFileSync(packageFile('README.md'), 'utf8');
  expect(readme).toMatch(REGION);
  const rows = loadGaps(packageFile('spec/gaps.yaml')).map((gap) => [
    `\`${gap.id}\``,
    gap.question,
    describeDefault(gap),
  ]);
  const table = formatTable(['gap', 'the contract leaves open', 'the mock'], rows);
  const expected = readme.replace(REGION, (_, start: string, end: string) => `${start}\n${table}\n\n${end}`);
  await expect(expected).toMatchFileSnapshot('../../README.md');
});
