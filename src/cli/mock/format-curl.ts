import type { Contract } from '../../contract/contract.js';
import type { Operation, SecurityScheme } from '../../contract/model.js';
import { chooseCombination } from '../../contract/security/present-credentials.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import type { Settings } from './settings.js';

type Keys = Pick<Settings, 'apiKey' | 'credentials'>;

/** A command that works as printed, if the contract has an operation that needs no further input. */
export function formatCurl(url: string, contract: Contract, keys: Keys): string {
  const simple = findSimple(contract);
  const limit = simple?.parameters.some(({ name }) => name === 'limit') === true ? ['limit=2'] : [];
  const shown = chooseCombination(simple?.security ?? contract.security, () => true).map((scheme) =>
    show(scheme, keys),
  );
  const flags = shown.flatMap(({ flag }) => flag ?? []);
  const query = [...limit, ...shown.flatMap(({ query: pair }) => pair ?? [])].join('&');
  const target = `${url}${simple?.path ?? ''}${query === '' ? '' : `?${query}`}`;
  return ['curl', ...flags, query.includes('$') ? `"${target}"` : `'${target}'`].join(' ');
}

function findSimple({ operations }: Contract): Operation | undefined {
  return operations.find(
    ({ method, path, parameters }) =>
      method === 'GET' && !path.includes('{') && !parameters.some((each) => each.required),
  );
}

/** A flag of curl, or a part of the query. A variable takes the place of a user's own key. */
function show(scheme: SecurityScheme, keys: Keys): { flag?: string; query?: string } {
  const { kind, at } = scheme;
  const isOwn = keys.credentials[scheme.name] !== undefined;
  const isDefault = !isOwn && keys.apiKey.includes(DEFAULT_API_KEY);
  const value = isDefault ? DEFAULT_API_KEY : `$${isOwn ? toVariable(scheme.name) : 'PETSTORE_API_KEY'}`;
  const quote = isDefault ? "'" : '"';
  if (kind === 'query') return { query: `${encodeURIComponent(at)}=${value}` };
  if (kind === 'cookie') return { flag: `-b ${quote}${at}=${value}${quote}` };
  if (kind === 'basic') return { flag: `-u ${quote}${value}${isOwn ? '' : ':'}${quote}` };
  return { flag: `-H ${quote}${kind === 'header' ? `${at}:` : `Authorization: ${at}`} ${value}${quote}` };
}

/** `BASIC_AUTH` for basicAuth: the variable that the reader has to set. */
function toVariable(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toUpperCase();
}
