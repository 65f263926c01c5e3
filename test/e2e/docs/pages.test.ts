import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PETSTORE_CONFORMANCE } from '../../../src/cli/conformance/options.js';
import { PETSTORE_MOCK } from '../../../src/cli/mock/options.js';
import { packageFile } from '../../../src/package-files.js';
import { ALL_BLOCKS, isScript, isSuite, PAGES, type Block } from '../../support/readme.js';
import { cleanEnvironment } from '../../support/tarball.js';
import { words } from '../../support/words.js';

/** Blocks that a test of their own runs or compares; all others run by what they are. */
const BY_NAME = [
  'README.md The petstore text: terminals.slow.test.ts',
  ...[
    'Claude Code json',
    'Codex toml',
    'Cursor json',
    'Gemini CLI json',
    'Over HTTP json',
    'VS Code json',
    'Zed json',
  ].map((block) => `docs/agents.md ${block}: agents.slow.test.ts`),
  'docs/conformance.md Credentials that a run gets itself yaml: runs.slow.test.ts',
  'docs/conformance.md What is expected of a target js: runs.slow.test.ts',
  'docs/conformance.md What is expected of a target yaml: runs.slow.test.ts',
  'docs/conformance.md Known deviations yaml: commands.slow.test.ts',
  'docs/conformance.md Profiles yaml: commands.slow.test.ts',
  'docs/options.md Config file of the mock yaml: options.slow.test.ts',
  'docs/options.md Fixture packs yaml: options.slow.test.ts',
  'docs/options.md Records of any collection yaml: pack-records.test.ts',
  'docs/options.md Config file of the runner yaml: commands.slow.test.ts',
  'docs/gaps.md What the contract leaves open yaml: commands.slow.test.ts',
  'docs/own-contract.md Quick start text: commands.slow.test.ts',
  'docs/own-contract.md Your own handlers js: program-handlers.test.ts',
  'docs/own-contract.md Correct what was inferred yaml: corrections.test.ts',
  'docs/own-contract.md Records of your own yaml: given-records.test.ts',
  'docs/recipes.md Vite js: recipes.slow.test.ts',
  'docs/recipes.md Docker dockerfile: recipes.slow.test.ts',
  'docs/recipes.md CI yaml: recipes.slow.test.ts',
  'docs/scenarios.md What a whole file shares yaml: commands.slow.test.ts',
  'docs/scenarios.md A first scenario yaml: commands.slow.test.ts',
  'docs/testing.md Playwright js: recipes.slow.test.ts',
  'docs/testing.md Playwright ts: scripts.slow.test.ts',
  'docs/testing.md jest js: scripts.slow.test.ts',
];

/** clone.slow.test.ts runs those of `sh` and `console`, and compares `output`. */
function runsByItself(block: Block): boolean {
  return ['console', 'output', 'sh'].includes(block.language) || isScript(block) || isSuite(block);
}

test('a test runs every block of every page', () => {
  const others = ALL_BLOCKS.filter((block) => !runsByItself(block));
  expect(others.map(({ page, heading, language }) => `${page} ${heading} ${language}`).toSorted()).toEqual(
    BY_NAME.map((line) => line.replace(/: \S+$/, '')).toSorted(),
  );
});

test('the first ten lines of the README say what it is, and it is no longer than 180', () => {
  const lines = readFileSync(packageFile('README.md'), 'utf8').trimEnd().split('\n');
  const first = lines.slice(0, 10).join('\n').toLowerCase();
  for (const word of ['openapi', 'mock server', 'contract test', 'petstore-mock', 'petstore-conformance'])
    expect(first).toContain(word);
  expect(lines.length).toBeLessThanOrEqual(180);
});

test('ARCHITECTURE is no longer than 150 lines', () =>
  expect(readFileSync(packageFile('ARCHITECTURE.md'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(150));

/** Home-made words for which the trade has others: reject, response, report, flaky, created record, leftover, warning. */
const RETIRED =
  /\b(?:refus(?:e|es|ed|als?)|strangers?|guests?|tid(?:y|ies)|spoiled|in vain|now and then|worth a look|left behind|trouble on purpose|told as|an answer|the answers?)\b/i;

/** Prose alone: no code, nothing that is written from the source, no quotation of a report. */
function listRetired(text: string): string[] {
  const prose = withoutBlocks(text)
    .replaceAll(/<!-- (?:options|checks)[\s\S]*?<!-- \/\w+ -->/g, '')
    .replaceAll(/^\| reported \|.*$/gm, '')
    .replaceAll(/`[^`\n]+`|"[^"\n]+"/g, '');
  return prose.split('\n').filter((line) => RETIRED.test(line));
}

test.each([...PAGES, 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'AGENTS.md', 'SKILL.md'])(
  '%s has the words of the trade',
  (page) => {
    expect(listRetired(readFileSync(packageFile(page), 'utf8'))).toEqual([]);
  },
);

test('a home-made word is found in prose, and not in code', () => {
  const text = 'It is refused.\n\n```text\nan answer\n```\n\nWrite `call.refuse()` for "the answers".\n';
  expect(listRetired(text)).toEqual(['It is refused.']);
});

/** Options of the subcommands, and of other people's programs. */
const OTHER_FLAGS = words`help force stdout allow-target allow-creates key-env save-dev prefix global`;

function listUnknownFlags(text: string): string[] {
  const declared = [PETSTORE_MOCK, PETSTORE_CONFORMANCE].flatMap(({ options }) =>
    Object.entries(options).map(([name, { isNegated }]) => (isNegated === true ? `no-${name}` : name)),
  );
  const known = new Set([...declared, ...OTHER_FLAGS]);
  const code = [...text.matchAll(/`[^`\n]+`/g)].join('\n');
  const named = [...code.matchAll(/(?<=[`\s])--([a-z][\w-]*)/g)];
  return named.map(([, name = '']) => name).filter((name) => !known.has(name));
}

/** Pages that also name options of other people's programs. */
const OF_OTHERS = ['docs/coming-from.md', 'docs/performance.md'];

test.each([...PAGES, 'SECURITY.md'].filter((page) => !OF_OTHERS.includes(page)))(
  '%s names no option that there is not',
  (page) => {
    expect(listUnknownFlags(readProse(page))).toEqual([]);
  },
);

test('an option that there is not is found', () =>
  expect(listUnknownFlags('`--spec`, `npx petstore-mock --no-cors --specc x`')).toEqual(['specc']));

test('llms.txt lists every page of the README, with its kind', async () => {
  const readme = readFileSync(packageFile('README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| (\S+) +\| \[(.+\.md)\]\(\2\) +\| (.+?) +\|$/gm)];
  const kinds = [...new Set(rows.map(([, kind = '']) => kind))];
  const [title = '', , summary = ''] = readme.split('\n');
  const list = (kind: string): string =>
    rows.flatMap(([, of, page, what]) => (of === kind ? [`- [${page}](${page}): ${what}\n`] : [])).join('');
  const parts = kinds.map((kind) => `\n## ${kind}\n\n${list(kind)}`);
  const text = `${title}\n\n> ${summary.replaceAll('**', '')}\n${parts.join('')}`;
  expect(rows.length).toBeGreaterThan(20);
  await expect(text).toMatchFileSnapshot('../../../llms.txt');
});

describe('links', () => {
  const packed = new Set(listPacked());

  test.each([...PAGES, 'SECURITY.md', 'CHANGELOG.md', 'SKILL.md', 'AGENTS.md', 'llms.txt'])(
    '%s: every link leads somewhere in the package',
    (page) => {
      expect(linksOf(page).filter((link) => !isAlive(page, link))).toEqual([]);
    },
  );

  test('a dead link would be found', () => {
    expect(isAlive('docs/testing.md', '../bench/README.md')).toBe(false);
    expect(isAlive('README.md', 'docs/testing.md#no-such-heading')).toBe(false);
    expect(isAlive('README.md', 'docs/testing.md#fault-injection')).toBe(true);
  });

  test('every page of docs/ can be reached from the README', () => {
    const linked = linksOf('README.md').map((link) => link.replace(/#.*/, ''));
    expect(linked).toEqual(expect.arrayContaining(PAGES.filter((page) => page !== 'README.md')));
  });

  function isAlive(page: string, link: string): boolean {
    if (/^https?:/.test(link)) return true;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : posix.join(posix.dirname(page), path);
    const isThere = [...packed].some((file) => file === target || file.startsWith(`${target}/`));
    return isThere && (anchor === undefined || anchorsOf(target).includes(anchor));
  }
});

/** What `npm pack` would put into the package. */
function listPacked(): string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const listed = execFileSync('npm', args, { cwd: packageFile('.'), env: cleanEnvironment(), encoding: 'utf8' });
  const [pack] = JSON.parse(listed) as { files: { path: string }[] }[];
  return (pack?.files ?? []).map(({ path }) => path);
}

function readProse(page: string): string {
  return withoutBlocks(readFileSync(packageFile(page), 'utf8'));
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

function linksOf(page: string): string[] {
  return [...readProse(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

/** Of the headings, as GitHub and others write them. */
function anchorsOf(page: string): string[] {
  return [...readProse(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
