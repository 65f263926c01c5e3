import type { DrawnContract, DrawnOperation } from './draw-contract.js';
import type { Draws } from './draws.js';
import { drawForm, drawMultipart, drawPatch, growing, spoil, spoilText } from './spoil.js';
import { write, type Written } from './written.js';
import { words } from '../support/words.js';

export interface DrawnRequest {
  operation: DrawnOperation;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const HEADERS: readonly [string, readonly string[]][] = [
  ['accept', ['*/*', 'application/json', 'text/html', 'application/json;q=0', 'a/b;'.repeat(500)]],
  ['prefer', ['code=404', 'example=none', 'dynamic=true', 'code=999', `seed=${'9'.repeat(300)}`]],
  ['if-match', ['*', '"x"', '"'.repeat(200)]],
  ['accept-encoding', ['gzip', 'br;q=1', ',,,']],
  ['content-encoding', ['gzip', 'identity']],
  ['cookie', ['a=b', 'a=b; '.repeat(400), '=;=;']],
  ['accept-language', ['de', '*'.repeat(300)]],
  ['idempotency-key', ['1', 'x'.repeat(600)]],
  ['x-odd', ['\u00ff\u00fe', ' '.repeat(50)]],
];

const ODD_KEYS = [...words`0 -1 1e400 99999999999999999999 none %00 %2F ..%2f __proto__`, 'a'.repeat(2000)];

/** A request that is valid, or nearly: what it breaks, it breaks in one or two places. */
export function drawRequest({ operations }: DrawnContract, keysOf: KeysOf, draws: Draws): DrawnRequest {
  const operation = draws.pick(operations);
  const keys = keysOf(operation.collection);
  const key = keys.length > 0 && draws.chance(0.75) ? encodeURIComponent(draws.pick(keys)) : draws.pick(ODD_KEYS);
  const path = `${operation.path.replace('{id}', key)}${drawQuery(operation, draws)}`;
  const headers = Object.fromEntries(
    draws.some(HEADERS, 0.08).map(([name, values]): [string, string] => [name, draws.pick(values)]),
  );
  const request = { operation, method: operation.method.toUpperCase(), path, headers };
  if (operation.body === undefined) return request;
  const { mediaType, text } = drawBody(operation.body, draws);
  const sent = draws.chance(0.04) ? draws.pick(['', 'text/plain', 'application/json; charset=utf-7', ';']) : mediaType;
  return { ...request, headers: { ...headers, 'content-type': sent }, body: text };
}

/** The keys of the records that a collection is known to have. */
export type KeysOf = (collection: string | undefined) => readonly string[];

function drawQuery({ query }: DrawnOperation, draws: Draws): string {
  const pairs = draws.some(query, 0.5).map(({ name, make }) => {
    const odd = ['', '-1', '1e400', '0x1', '%', '[]', 'a'.repeat(4000), 'null'];
    const value = draws.chance(0.75) ? make() : draws.pick(odd);
    return `${encodeURIComponent(name)}=${value === '%' ? value : encodeURIComponent(value)}`;
  });
  if (draws.chance(0.03)) pairs.push(draws.times(800, (index) => `deep[k${index}]=1`).join('&'));
  if (draws.chance(0.03)) pairs.push(`deep${'[a]'.repeat(2000)}=1`);
  if (draws.chance(0.03)) pairs.push(draws.times(1500, () => 'list=a,b').join('&'));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function drawBody({ mediaType, kind }: NonNullable<DrawnOperation['body']>, draws: Draws) {
  const value = drawValue(mediaType, kind.make(), draws);
  if (mediaType === 'application/x-www-form-urlencoded') return { mediaType, text: drawForm(value, draws) };
  if (mediaType === 'multipart/form-data') {
    const { boundary, text } = drawMultipart(value, draws);
    return { mediaType: `${mediaType}; boundary=${boundary}`, text };
  }
  const text = write(value);
  return { mediaType, text: draws.chance(0.05) ? spoilText(text, draws) : text };
}

function drawValue(mediaType: string, valid: Written, draws: Draws): Written {
  if (mediaType === 'application/json-patch+json' && draws.chance(0.7)) return drawPatch(undefined, draws);
  if (draws.chance(0.55)) return valid;
  if (draws.chance(0.1)) return growing(draws);
  const once = spoil(valid, draws);
  return draws.chance(0.3) ? spoil(once, draws) : once;
}
