import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFile } from '../../src/package-files.js';

/** Every page that users read with the package. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(packageFile('docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** A fenced block of a page. */
export interface Block {
  page: string;
  language: string;
  text: string;
  /** The heading above it. */
  heading: string;
}

/** The blocks of a page. */
export function readBlocks(page: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  const lines = /^#+ (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm;
  for (const [, title, language, text] of readFileSync(packageFile(page), 'utf8').matchAll(lines)) {
    if (title !== undefined) heading = title;
    else if (language !== undefined) blocks.push({ page, language, text: text ?? '', heading });
  }
  return blocks;
}

/** The blocks of every page. */
export const ALL_BLOCKS: readonly Block[] = PAGES.flatMap(readBlocks);

/** The only block of a language under a heading of a page. */
export function blockUnder(page: string, heading: string, language: string): string {
  const found = readBlocks(page).filter((block) => block.heading === heading && block.language === language);
  if (found.length !== 1) throw new Error(`there are ${found.length} blocks of ${language} under ${heading}`);
  return found[0]?.text ?? '';
}

/** A script that says, in comments, what it prints. */
export const isScript = ({ language, text }: Block): boolean => language === 'js' && text.includes('console.log(');

/** A test file for vitest, whose first line names it. */
export const isSuite = ({ text }: Block): boolean => /^\/\/ \w+\.test\.js$/m.test(text);

/** A folder in which this package is installed, with some of what its users have beside it. */
export function createProject(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-readme-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(packageFile('.'), join(modules, 'petstore-mock'));
  for (const program of ['petstore-mock', 'petstore-conformance']) {
    symlinkSync(`../petstore-mock/dist/cli/${program}.js`, join(modules, '.bin', program));
    // As npm does when it installs a package; the compiler does not.
    chmodSync(packageFile(`dist/cli/${program}.js`), 0o755);
  }
  for (const name of ['express', 'msw', 'vite', 'vitest'])
    symlinkSync(packageFile(`node_modules/${name}`), join(modules, name));
  for (const [name, text] of Object.entries({ 'package.json': '{ "private": true, "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
