import { readText } from '../../contract/document/document.js';
import { findUnsendable } from '../../conformance/http/header-text.js';
import { readVariable } from './config.js';
import { bad, type Pick } from './values.js';
import type { Environment } from '../options/environment.js';

/**
 * The API key: from a flag, else from the variable that the config file names
 * for this target, else from `PETSTORE_API_KEY`, else from the file that the
 * config file names. A key that is meant for another target is never sent: a
 * variable that is named and not set is refused.
 */
export function readApiKey(pick: Pick, env: Environment, { plans }: { plans: boolean }): string {
  const flag = pick.text('api-key');
  const file = pick.given('api-key-file');
  const isFlag = file?.where.startsWith('--') === true;
  if (flag !== undefined && isFlag) throw bad('--api-key and --api-key-file exclude each other.');
  if (plans) return flag ?? '';
  const named = pick.given('api-key-env');
  const key =
    flag ??
    (isFlag ? readKeyFile(file.texts) : undefined) ??
    (named === undefined ? undefined : readVariable(named.texts[0] ?? '', named.where, env)) ??
    (env['PETSTORE_API_KEY'] || undefined) ??
    (file === undefined ? '' : readKeyFile(file.texts));
  if (key === '') throw bad('there is no API key; set PETSTORE_API_KEY, or give --api-key-file or --api-key.');
  if (/^bearer\s/i.test(key))
    throw bad('the API key begins with the word Bearer, which is no part of it; leave it out.');
  const unsendable = findUnsendable(key);
  if (unsendable !== undefined) throw bad(`the API key has ${unsendable}, which no header field can carry.`);
  return key;
}

function readKeyFile(texts: readonly string[]): string {
  return readText(texts.at(-1) ?? '').trim();
}
