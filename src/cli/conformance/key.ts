import { readText } from '../../contract/document/document.js';
import { findUnsendableInKey } from '../../conformance/http/header-text.js';
import { readNamedVariable } from './config.js';
import { bad } from './option-rules.js';
import type { RunnerOptions } from './options.js';
import type { Environment } from '../options/environment.js';

/**
 * The API key: from a flag, else from the variable that the config file names
 * for this target, else from `PETSTORE_API_KEY`, else from the file that the
 * config file names. A key that is meant for another target is never sent: a
 * variable that is named and not set is refused.
 */
export function readApiKey({ values, given }: RunnerOptions, env: Environment, { plans }: { plans: boolean }): string {
  const flag = given('api-key')?.from === 'flag' ? values.apiKey : undefined;
  const { apiKey, apiKeyFile: file } = values;
  const isFileByFlag = given('api-key-file')?.from === 'flag';
  if (flag !== undefined && isFileByFlag) throw bad('--api-key and --api-key-file exclude each other.');
  if (plans) return flag ?? '';
  const key =
    flag ??
    (isFileByFlag ? readKeyFile(file) : undefined) ??
    readNamedVariable(given('api-key-env'), env) ??
    apiKey ??
    readKeyFile(file) ??
    '';
  if (key === '') throw bad('there is no API key; set PETSTORE_API_KEY, or give --api-key-file or --api-key.');
  if (/^bearer\s/i.test(key))
    throw bad('the API key begins with the word Bearer, which is no part of it; leave it out.');
  const unsendable = findUnsendableInKey(key);
  if (unsendable !== undefined) throw bad(`the API key has ${unsendable}, which no header field can carry.`);
  return key;
}

function readKeyFile(path: string | undefined): string | undefined {
  return path === undefined ? undefined : readText(path).trim();
}
