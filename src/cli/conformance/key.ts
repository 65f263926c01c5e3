import { isOnThisMachine } from '../../conformance/wire/http/read-given.js';
import { readText } from '../../contract/document/document.js';
import { findUnsendableInKey } from '../../conformance/wire/http/header-text.js';
import { quote } from '../../report/curl.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import { readNamedVariable } from './config.js';
import { bad } from './options/option-rules.js';
import type { RunnerOptions } from './options.js';
import type { Environment } from '../options/environment.js';

export const NO_KEY = 'there is no API key; set PETSTORE_API_KEY, or give --api-key-file or --api-key.';

/** The API key of a run. */
export interface GivenKey {
  apiKey: string;
  /** Whether it is only the documented one of the mock, which is tried on this machine if there is no other. */
  isDefaultKey: boolean;
  /** Whether there is none, though one is needed. */
  lacksKey: boolean;
  /** How a shell has it, within double quotes. */
  inShell: string;
}

/**
 * The API key. Sources: a flag, then the variable that the config file names
 * for this target, then `PETSTORE_API_KEY`, then the file that the
 * config file names. A key meant for another target is never sent: a
 * variable that is named but not set is refused.
 */
export function readApiKey(
  options: RunnerOptions,
  env: Environment,
  { plans, target, isNeeded = true }: { plans: boolean; target: string | undefined; isNeeded?: boolean },
): GivenKey {
  const none = { apiKey: '', isDefaultKey: false, lacksKey: false, inShell: `$${VARIABLE}` };
  const { key, inShell } = findKey(options, env, plans);
  if (plans) return { ...none, apiKey: key };
  if (key === '' && isNeeded && isLocal(target))
    return { ...none, apiKey: DEFAULT_API_KEY, isDefaultKey: true, inShell: DEFAULT_API_KEY };
  if (key === '') return { ...none, lacksKey: isNeeded };
  if (/^bearer\s/i.test(key))
    throw bad('the API key begins with the word Bearer, which is not part of it; leave that out.');
  const unsendable = findUnsendableInKey(key);
  if (unsendable !== undefined) throw bad(`the API key has ${unsendable}, which no header field can carry.`);
  return { ...none, apiKey: key, inShell };
}

const VARIABLE = 'PETSTORE_API_KEY';

/** The key from the first source that has one; of a plan, only what was given for it alone. */
function findKey({ values, given }: RunnerOptions, env: Environment, plans: boolean): { key: string; inShell: string } {
  const flag = given('api-key')?.from === 'flag' ? values.apiKey : undefined;
  const { apiKey, apiKeyFile: file } = values;
  const isFileByFlag = given('api-key-file')?.from === 'flag';
  if (flag !== undefined && isFileByFlag) throw bad('--api-key and --api-key-file exclude each other.');
  if (flag !== undefined || plans) return { key: flag ?? '', inShell: `$${VARIABLE}` };
  const named = given('api-key-env');
  const isInFile = isFileByFlag || (named === undefined && apiKey === undefined);
  if (isInFile && file !== undefined) return { key: readText(file).trim(), inShell: `$(cat ${quote(file)})` };
  const variable = named === undefined ? VARIABLE : String(named.value);
  return { key: readNamedVariable(named, env) ?? apiKey ?? '', inShell: `$${variable}` };
}

function isLocal(target: string | undefined): boolean {
  return target !== undefined && URL.canParse(target) && isOnThisMachine(new URL(target));
}
