import { isOnThisMachine } from '../../conformance/read-given.js';
import { readText } from '../../contract/document/document.js';
import { findUnsendableInKey } from '../../conformance/http/header-text.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import { readNamedVariable } from './config.js';
import { bad } from './option-rules.js';
import type { RunnerOptions } from './options.js';
import type { Environment } from '../options/environment.js';

/** The key of a run without a given key; the reports mention it. */
export const TRIED_DEFAULT_KEY =
  "no API key was given, so the mock's documented default key was used, as for any target on this machine";

export const NO_KEY = 'there is no API key; set PETSTORE_API_KEY, or give --api-key-file or --api-key.';

/**
 * The API key, and whether it is only the documented one of the mock,
 * which is tried on this machine if there is no other. Sources: a flag, then the variable that the config file names
 * for this target, then `PETSTORE_API_KEY`, then the file that the
 * config file names. A key meant for another target is never sent: a
 * variable that is named but not set is refused.
 */
export function readApiKey(
  { values, given }: RunnerOptions,
  env: Environment,
  { plans, target, isNeeded = true }: { plans: boolean; target: string | undefined; isNeeded?: boolean },
): { apiKey: string; isDefaultKey: boolean } {
  const flag = given('api-key')?.from === 'flag' ? values.apiKey : undefined;
  const { apiKey, apiKeyFile: file } = values;
  const isFileByFlag = given('api-key-file')?.from === 'flag';
  if (flag !== undefined && isFileByFlag) throw bad('--api-key and --api-key-file exclude each other.');
  if (plans) return { apiKey: flag ?? '', isDefaultKey: false };
  const key =
    flag ??
    (isFileByFlag ? readKeyFile(file) : undefined) ??
    readNamedVariable(given('api-key-env'), env) ??
    apiKey ??
    readKeyFile(file) ??
    '';
  // Beside credentials of the user's, it serves what they leave, and nothing need be said of it.
  if (key === '' && isLocal(target)) return { apiKey: DEFAULT_API_KEY, isDefaultKey: isNeeded };
  if (key === '' && !isNeeded) return { apiKey: '', isDefaultKey: false };
  if (key === '') throw bad(NO_KEY);
  if (/^bearer\s/i.test(key))
    throw bad('the API key begins with the word Bearer, which is not part of it; leave that out.');
  const unsendable = findUnsendableInKey(key);
  if (unsendable !== undefined) throw bad(`the API key has ${unsendable}, which no header field can carry.`);
  return { apiKey: key, isDefaultKey: false };
}

function isLocal(target: string | undefined): boolean {
  return target !== undefined && URL.canParse(target) && isOnThisMachine(new URL(target));
}

function readKeyFile(path: string | undefined): string | undefined {
  return path === undefined ? undefined : readText(path).trim();
}
