import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../../src/package-files.js';
import { ALL_BLOCKS, isScript, isSuite, PAGES, type Block } from '../../support/readme.js';
import { cleanEnvironment } from '../../support/tarball.js';

/** Blocks that a test of their own runs or compares; all others run by what they are. */
const BY_NAME = [
  'README.md What you see text: terminals.slow.test.ts',
  'README.md A conformance run text: commands.slow.test.ts',
  'docs/agents.md Claude Code json: agents.slow.test.ts',
  'docs/agents.md Codex toml: agents.slow.test.ts',
  'docs/agents.md Cursor json: agents.slow.test.ts',
  'docs/agents.md Gemini CLI json: agents.slow.test.ts',
  'docs/agents.md Over HTTP json: agents.slow.test.ts',
  'docs/agents.md VS Code json: agents.slow.test.ts',
  'docs/agents.md Zed json: agents.slow.test.ts',
  'docs/conformance.md Credentials that a run gets itself yaml: runs.test.ts',
  'docs/conformance.md What is expected of a target js: runs.test.ts',
  'docs/conformance.md What is expected of a target yaml: runs.test.ts',
  'docs/conformance.md Known deviations yaml: commands.slow.test.ts',
  'docs/conformance.md Profiles yaml: commands.slow.test.ts',
  'docs/options.md Config file of the mock yaml: options.test.ts',
  'docs/options.md Fixture packs yaml: options.test.ts',
  'docs/options.md Records of any collection yaml: pack-records.test.ts',
  'docs/options.md Config file of the runner yaml: commands.slow.test.ts',
  'docs/gaps.md What the contract leaves open yaml: commands.slow.test.ts',
  'docs/own-contract.md Quick start text: commands.slow.test.ts',
  'docs/own-contract.md Quick start output: commands.slow.test.ts',
  'docs/own-contract.md Your own handlers js: program-handlers.test.ts',
  'docs/own-contract.md Resources yaml: corrections.test.ts',
  'docs/own-contract.md Records of your own yaml: given-records.test.ts',
  'docs/recipes.md Vite js: recipes.slow.test.ts',
  'docs/recipes.md Docker dockerfile: recipes.slow.test.ts',
  'docs/recipes.md CI yaml: recipes.slow.test.ts',
  'docs/scenarios.md What a whole file shares yaml: commands.slow.test.ts',
  'docs/scenarios.md Writing scenarios yaml: commands.slow.test.ts',
  'docs/testing.md Playwright js: recipes.slow.test.ts',
  'docs/testing.md Playwright ts: scripts.slow.test.ts',
  'docs/testing.md jest js: scripts.slow.test.ts',
];

/** Those of `console` run in terminals.slow.test.ts, those of `sh` in commands.slow.test.ts, which has a list of them. */
function runsByItself(block: Block): boolean {
  return block.language === 'console' || block.language === 'sh' || isScript(block) || isSuite(block);
}

test('a test runs every block of every page', () => {
  const others = ALL_BLOCKS.filter((block) => !runsByItself(block));
  expect(others.map(({ page, heading, language }) => `${page} ${heading} ${language}`).toSorted()).toEqual(
    BY_NAME.map((line) => line.replace(/: \S+$/, '')).toSorted(),
  );
});

describe('links', () => {
  const packed = new Set(listPacked());

  test.each([...PAGES, 'SECURITY.md', 'CHANGELOG.md', 'SKILL.md', 'AGENTS.md'])(
    '%s: every link leads somewhere in the package',
    (page) => {
      const dead = linksOf(page).filter((link) => !isAlive(page, link));
      expect(dead).toEqual([]);
    },
  );

  test('a dead link would be found', () => {
    expect(isAlive('docs/testing.md', '../bench/README.md')).toBe(false);
    expect(isAlive('README.md', 'docs/testing.md#no-such-heading')).toBe(false);
    expect(isAlive('README.md', 'docs/testing.md#faults')).toBe(true);
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
  return readFileSync(packageFile(page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
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
