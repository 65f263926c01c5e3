import type { RunHooks } from '../../conformance/model/hooks.js';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { importModule } from '../mock/load-handlers.js';

const NAMES = ['before', 'after', 'request'];

/**
 * Reads a module of hooks: its exports `before`, `after` and `request`, or a default export with them. Throws a
 * `PetstoreMockError` (`bad-handler`) if it cannot be used.
 */
export async function loadHooks(path: string | undefined): Promise<RunHooks | undefined> {
  if (path === undefined) return undefined;
  const module = await importModule(path, 'hooks');
  const given = Object.entries(module['default'] ?? { ...module });
  const unknown = given.find(([name]) => !NAMES.includes(name))?.[0];
  if (unknown !== undefined)
    throw bad(path, `its export ${unknown} is no hook${suggest(unknown, NAMES)} The hooks are ${NAMES.join(', ')}.`);
  const odd = given.find(([, value]) => typeof value !== 'function')?.[0];
  if (odd !== undefined) throw bad(path, `its export ${odd} is not a function.`);
  if (given.length === 0) throw bad(path, 'it exports no hooks; write `export function request(request) { ... }`.');
  return Object.fromEntries(given);
}

function bad(path: string, message: string): PetstoreMockError {
  return new PetstoreMockError('bad-handler', message, { file: path });
}
