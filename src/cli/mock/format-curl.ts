import type { Contract } from '../../contract/contract.js';
import type { SecurityScheme } from '../../contract/model.js';
import { chooseCombination } from '../../contract/security/present-credentials.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import { quote } from '../../report/curl.js';
import type { ShownBody } from '../../server/example-requests/fill-body.js';
import type { KnownRecords } from '../../server/example-requests/fill-request.js';
import { chooseRequest } from './choose-request.js';
import type { Settings } from './settings.js';

type Keys = Pick<Settings, 'apiKey' | 'credentials'>;

/** A command that works as printed: with values for whatever the operation that is the easiest to send needs. */
export function formatCurl(
  url: string,
  contract: Contract,
  { records, ...keys }: Keys & { records?: KnownRecords },
): string {
  const tried = chooseRequest(contract, records);
  const { operation, path = '', query = [], headers = {}, body } = tried ?? {};
  const shown = chooseCombination(operation?.security ?? contract.security, () => true).map((scheme) =>
    show(scheme, keys),
  );
  const whole = [...query, ...shown.flatMap(({ query: pair }) => pair ?? [])].join('&');
  const target = `${url}${path}${whole === '' ? '' : `?${whole}`}`;
  return [
    'curl',
    ...(operation === undefined || operation.method === 'GET' ? [] : ['-X', operation.method]),
    // Several schemes may be told by one field.
    ...new Set(shown.flatMap(({ flag }) => flag ?? [])),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : showBody(body)),
    target.includes('$') ? `"${target}"` : quote(target),
  ].join(' ');
}

/** Curl writes a form in parts itself, which has line breaks that no terminal keeps. */
function showBody({ mediaType, text, form }: ShownBody): string[] {
  if (form === undefined) return [`-H ${quote(`Content-Type: ${mediaType}`)}`, `--data-raw ${quote(text)}`];
  return form.map(({ flag, field }) => `${flag} ${quote(field)}`);
}

/** A flag of curl, or a part of the query. A variable takes the place of a user's own key. */
function show(scheme: SecurityScheme, keys: Keys): { flag?: string; query?: string } {
  const { kind, at } = scheme;
  const isOwn = keys.credentials[scheme.name] !== undefined;
  const isDefault = !isOwn && keys.apiKey.includes(DEFAULT_API_KEY);
  const value = isDefault ? DEFAULT_API_KEY : `$${isOwn ? toVariable(scheme.name) : 'PETSTORE_API_KEY'}`;
  const mark = isDefault ? "'" : '"';
  if (kind === 'query') return { query: `${encodeURIComponent(at)}=${value}` };
  if (kind === 'cookie') return { flag: `-b ${mark}${at}=${value}${mark}` };
  if (kind === 'basic') return { flag: `-u ${mark}${value}${isOwn ? '' : ':'}${mark}` };
  return { flag: `-H ${mark}${kind === 'header' ? `${at}:` : `Authorization: ${at}`} ${value}${mark}` };
}

/** `BASIC_AUTH` for basicAuth: the variable that the reader has to set. */
function toVariable(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toUpperCase();
}
