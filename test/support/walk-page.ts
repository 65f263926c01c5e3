import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import { createClone } from './clone.js';
import { listen } from './network/listen.js';
import { environment, onFreePort, startCommand, untilServed, mockUrl, type Started } from './terminal.js';

/** A URL of the pages that a test must not ask, and what is served in its place. */
const DOCUMENT_URL = 'https://petstore3.swagger.io/api/v3/openapi.json';
const DOCUMENT = packageFile('examples/bookshop/openapi.yaml');

/** Commands that the walk leaves out, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'npm ci && npm run build': 'the clone is built',
  'npm install classic-level': 'the clone has it',
  'npm install ioredis': 'the clone has it',
  "PETSTORE_MOCK_SHARED='redis://user:password@redis.example:6379/0?prefix=team-a' npx petstore-mock":
    'it needs an engine; test/server/lasting/ has one',
};

export interface Walked {
  /** Those that ran, as the page has them. */
  commands: string[];
  /** The page with the output that its commands have now, where that is not what it shows. */
  page: string;
}

/** Every command of a page: lines of `sh` blocks, those after `$ ` in `console` blocks, and inline code. */
export function listCommands(page: string): string[] {
  return readParts(page).flatMap(({ language, text }) => {
    if (language === 'inline') return [text];
    if (language === 'sh') return linesOf(text);
    return language === 'console' ? [...text.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command) : [];
  });
}

/**
 * Does in a clone what a page says, from its top to its end, as a reader does: writes the blocks that begin with the name of a
 * file, runs the commands, and lets a server run until the next one starts. Throws at the first command that does not end
 * as the page says: with 0, or with the code in the comment behind it (`# exits with 1`).
 */
export async function walkPage(page: string): Promise<Walked> {
  const walk = new Walk(createClone(), await serveDocument());
  let rendered = '';
  let at = 0;
  for (const { language, text, index } of readParts(page)) {
    rendered += page.slice(at, index) + (await walk.render(language, text));
    at = index + text.length;
  }
  return { commands: walk.commands, page: rendered + page.slice(at) };
}

interface Part {
  language: string;
  text: string;
  /** Where the text begins. */
  index: number;
}

function readParts(page: string): Part[] {
  const parts = /^```(\w+)\n([\s\S]*?)^```$|`(npx petstore-[\w-]+ [^`<…\n]+)`/gm;
  return [...page.matchAll(parts)].map((match) => {
    const [whole, language = 'inline', block, inline = ''] = match;
    const text = block ?? inline;
    return { language, text, index: match.index + whole.indexOf(text, block === undefined ? 0 : language.length) };
  });
}

class Walk {
  readonly commands: string[] = [];
  readonly #folder: string;
  readonly #documentUrl: string;
  #server: Started | undefined;
  /** The options by which the server knows its document. */
  #served = '';
  #output = '';

  constructor(folder: string, documentUrl: string) {
    this.#folder = folder;
    this.#documentUrl = documentUrl;
  }

  /** Does what a block says, and gives the block as it should be. */
  async render(language: string, text: string): Promise<string> {
    if (language === 'output') return correct(text, this.#output, withoutChance);
    if (language === 'console') return this.#renderConsole(text);
    for (const line of language === 'sh' ? linesOf(text) : language === 'inline' ? [text] : []) await this.#run(line);
    const [, name] = /^(?:# yaml-language-server.*\n)?(?:#|\/\/) ([\w./-]+\.\w+)\n/.exec(text) ?? [];
    if (name !== undefined && language !== 'sh') this.#write(name, onFreePort(text));
    return text;
  }

  async #renderConsole(text: string): Promise<string> {
    let rendered = '';
    for (const part of text.split(/^(?=\$ )/m)) {
      const end = part.indexOf('\n') + 1;
      const [command, shown] = [part.slice(2, end - 1), part.slice(end)];
      await this.#run(command, [0, 1]);
      rendered += `$ ${command}\n${await this.#correct(command, shown)}`;
    }
    return rendered;
  }

  async #correct(command: string, shown: string): Promise<string> {
    if (!isServer(command)) {
      return correct(shown, this.#output, command.includes('petstore-conformance') ? withoutChance : asShown);
    }
    // The mock answers before all of its banner has arrived here; later, it prints a line for each request.
    const cut = (): string => correct(shown, this.#server?.printed().slice(0, onFreePort(shown).length) ?? '', asShown);
    const isAsShown = (): void => expect(cut()).toBe(shown);
    await vi.waitFor(isAsShown, { timeout: 30_000 }).catch(() => undefined);
    return cut();
  }

  async #run(line: string, codes = codesOf(line)): Promise<void> {
    if (Object.hasOwn(LEFT_OUT, line)) return;
    this.commands.push(line);
    const command = this.#prepare(line.replace(/ +#.*$/, ''));
    if (isServer(command)) return this.#serve(command);
    if (command.includes(onFreePort(':4010')) && !command.includes(' --list')) await this.#serveFor(command);
    const { code, stdout, stderr } = await runCommand(command, this.#folder);
    this.#output = stdout;
    this.#moveConfigFile();
    if (!codes.includes(code)) throw new Error(`${line}\nends with ${code}:\n${stdout}${stderr}`);
  }

  /** With addresses that this machine has. */
  #prepare(command: string): string {
    return onFreePort(command.replaceAll(DOCUMENT_URL, this.#documentUrl).replace(/--port 40\d\d/, '--port 4010'));
  }

  async #serve(command: string): Promise<void> {
    await this.#stop();
    this.#server = startCommand(command.replace('npm ci && ', ''), this.#folder);
    this.#served = documentOf(command);
    await Promise.race([untilServed(mockUrl('/__admin/health')), failAtEnd(this.#server, command)]);
    this.#output = this.#server.printed();
  }

  /** A target for a run, if the page has started none, or one of another document. */
  async #serveFor(command: string): Promise<void> {
    const document = documentOf(command);
    if (this.#server !== undefined && (document === '' || document === this.#served)) return;
    await this.#serve(`npx petstore-mock ${document}`);
  }

  async #stop(): Promise<void> {
    const child = this.#server?.child;
    this.#server = undefined;
    if (child?.pid === undefined || child.exitCode !== null) return;
    const closed = new Promise((resolve) => child.once('close', resolve));
    process.kill(-child.pid, 'SIGTERM');
    await closed;
  }

  /** `init` writes the port of the pages. */
  #moveConfigFile(): void {
    const path = join(this.#folder, 'petstore-conformance.yaml');
    if (existsSync(path)) writeFileSync(path, onFreePort(readFileSync(path, 'utf8')));
  }

  #write(name: string, text: string): void {
    const path = join(this.#folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function linesOf(block: string): string[] {
  return block.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

function codesOf(line: string): number[] {
  const [, code = '0'] = / # exits with (\d+)/.exec(line) ?? [];
  return [Number(code)];
}

function isServer(command: string): boolean {
  return /(?:^|npx )petstore-mock\b(?!.* --(?:check|help)\b)|npm start/.test(command);
}

function documentOf(command: string): string {
  return [...command.matchAll(/ (--(?:spec|resources|config) \S+)/g)].map(([, option]) => option).join(' ');
}

function runCommand(command: string, cwd: string): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd, env: environment({ COLUMNS: '200' }) }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
  });
}

async function failAtEnd({ child, printed }: Started, command: string): Promise<never> {
  await new Promise((resolve) => child.once('close', resolve));
  throw new Error(`${command}\nended:\n${printed()}`);
}

/** What a page shows, if the output is like it; else the output, cut where the page cuts it. */
function correct(shown: string, output: string, compared: (text: string) => string): string {
  const isCut = shown.endsWith('...\n');
  const lines = shown.split('\n').length - (isCut ? 2 : 1);
  const actual = isCut ? `${output.split('\n').slice(0, lines).join('\n')}\n...\n` : `${output.trimEnd()}\n`;
  return compared(actual).trimEnd() === compared(onFreePort(shown)).trimEnd() ? shown : asShown(actual);
}

/** How many requests a run sends, how long it takes, and which texts it creates, differs from run to run. */
function withoutChance(text: string): string {
  return asShown(text)
    .replaceAll(/\bcf\w+/g, 'TEXT')
    .replaceAll(/\d[\d.]*/g, 'N')
    .replaceAll(/N(?:, N)+/g, 'N');
}

function asShown(text: string): string {
  return text.replaceAll(onFreePort('4010'), '4010').replaceAll(/npx -y -p \S+ /g, 'npx ');
}

/** Serves the document at a URL. */
async function serveDocument(): Promise<string> {
  const { port, close } = await listen(createServer((_, response) => response.end(readFileSync(DOCUMENT))));
  onTestFinished(close);
  return `http://127.0.0.1:${port}/openapi.yaml`;
}
