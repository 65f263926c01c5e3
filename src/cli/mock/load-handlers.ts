import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PetstoreMockError } from '../../errors.js';
import type { OwnHandlers } from '../../server/own-handlers/own-handler.js';

/**
 * Reads a module of handlers: its default export, or its named ones. Throws a `PetstoreMockError` (`bad-handler`) if it
 * cannot be used.
 */
export async function loadHandlers(path: string): Promise<OwnHandlers> {
  const module = await importModule(path);
  const given = module['default'] ?? Object.fromEntries(Object.entries(module));
  if (typeof given !== 'object' || given === null || Object.keys(given).length === 0)
    throw badModule(path, 'it exports no handlers; write `export function createOrder(call) { ... }`.');
  const odd = Object.entries(given).find(([, value]) => typeof value !== 'function');
  if (odd !== undefined) throw badModule(path, `its export ${odd[0]} is not a function.`);
  return given as OwnHandlers;
}

/** Imports a module of a user's own, of which `kind` says what it has. Throws a `PetstoreMockError` (`bad-handler`). */
export async function importModule(path: string, kind = 'handlers'): Promise<Record<string, unknown>> {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (changed === undefined) throw new PetstoreMockError('bad-handler', `there is no file of ${kind} at ${path}.`);
  try {
    // Node caches modules by URL, so a changed file needs another URL.
    return (await import(`${pathToFileURL(resolve(path)).href}?changed=${changed}`)) as Record<string, unknown>;
  } catch (error) {
    throw explain(path, error);
  }
}

function explain(path: string, error: unknown): PetstoreMockError {
  const { code, message = String(error), stack = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return badModule(
      path,
      `Node ${process.versions.node} runs no file of this kind; name it .mjs or .js, or for TypeScript use Node 22.18 or later.`,
    );
  const line = error instanceof SyntaxError ? findSyntaxError(path) : /\?changed=[\d.]+:(\d+)/.exec(stack)?.[1];
  const place = { file: path, ...(line === undefined ? {} : { line: Number(line) }) };
  return new PetstoreMockError('bad-handler', `the module cannot be loaded: ${message.replace(/\.$/, '')}.`, place);
}

/** The line of a syntax error, which Node states only in its output. */
function findSyntaxError(path: string): string | undefined {
  const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8' });
  return /:(\d+)$/m.exec(stderr)?.[1];
}

function badModule(path: string, message: string): PetstoreMockError {
  return new PetstoreMockError('bad-handler', message, { file: path });
}
