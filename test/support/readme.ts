import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFile } from '../../src/package-files.js';

/** A fenced block of the README. */
export interface Block {
  language: string;
  text: string;
  /** The heading that it stands under. */
  heading: string;
}

/** A command of a `console` block, with what the README says that it prints. */
export interface Shown {
  command: string;
  output: string;
}

/** The blocks of the README, or of another page. */
export function readBlocks(page = 'README.md'): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  const lines = /^#+ (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm;
  for (const [, title, language, text] of readFileSync(packageFile(page), 'utf8').matchAll(lines)) {
    if (title !== undefined) heading = title;
    else if (language !== undefined) blocks.push({ language, text: text ?? '', heading });
  }
  return blocks;
}

/** The only block of a language under a heading of the README, or of another page. */
export function blockUnder(heading: string, language: string, page?: string): string {
  const found = readBlocks(page).filter((block) => block.heading === heading && block.language === language);
  if (found.length !== 1) throw new Error(`there are ${found.length} blocks of ${language} under ${heading}`);
  return found[0]?.text ?? '';
}

export function readShown({ text }: Block): Shown[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { command: part.slice(0, end), output: part.slice(end + 1) };
    });
}

/** A folder in which this package is installed, with some of what its users have beside it. */
export function createProject(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-readme-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(packageFile('.'), join(modules, 'petstore-mock'));
  for (const program of ['petstore-mock', 'petstore-conformance']) {
    symlinkSync(`../petstore-mock/dist/cli/${program}.js`, join(modules, '.bin', program));
  }
  for (const name of ['express', 'msw', 'vite', 'vitest'])
    symlinkSync(packageFile(`node_modules/${name}`), join(modules, name));
  for (const [name, text] of Object.entries({ 'package.json': '{ "private": true, "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
