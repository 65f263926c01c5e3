import type { ExchangeResult } from '../model/result.js';
import type { Occurrence } from './occurrence.js';
import { joinWords } from './occurrence.js';

/** Kinds of keys, the rarest first: what all failing requests have in common suggests why they fail. */
const KEYS: readonly (readonly [string, (key: string) => boolean])[] = [
  ['a key past int64', (key) => Number(key) > 9.3e18],
  ['a negative key', (key) => key.startsWith('-')],
  ['a key past 2^53', (key) => Number(key) > Number.MAX_SAFE_INTEGER],
  ['the key 0', (key) => key === '0'],
];

function describeKeys(occurrences: readonly Occurrence[]): string | undefined {
  const asked = occurrences.map(({ exchange }) => readAskedKey(exchange));
  if (asked.some((key) => key === undefined)) return undefined;
  if (occurrences.every(({ exchange }) => /%3\d[^/]*$/.test(exchange.request.path)))
    return 'a key with a percent escape in it';
  const kind = KEYS.find(([, fits]) => asked.every((key) => key !== undefined && fits(key)))?.[0];
  // A key that no record has is large, so its size says nothing.
  const isUnknown = occurrences.every(({ exchange }) => exchange.request.asksUnknown === true);
  return isUnknown && kind === 'a key past 2^53' ? undefined : kind;
}

/** The integer at the end of a path, as a service reads it. */
function readAskedKey({ operationId, request }: Pick<ExchangeResult, 'operationId' | 'request'>): string | undefined {
  const [, written = ''] = /([^/?]*)(?:\?|$)/.exec(request.path) ?? [];
  const key = decodeSafely(written);
  return operationId !== undefined && /^-?\d+$/.test(key) ? key : undefined;
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * What the requests that show a problem have in common besides their operation, if that is telling: ` with limit=100`.
 */
export function describeRequests(occurrences: readonly Occurrence[]): string {
  const keys = describeKeys(occurrences);
  if (keys !== undefined) return ` for ${keys}`;
  const queries = occurrences.map(({ exchange }) => exchange.request.path.split('?')[1] ?? '');
  if (queries.every((query) => query.split('&').some((pair) => ESCAPED.test(pair.split('=')[1] ?? ''))))
    return ' with a percent escape in a value of the query';
  if (queries.every((query) => ESCAPED.test(query))) return ' with a percent escape in the query';
  const all = occurrences.map(({ exchange }) => new Set(listTraits(exchange.request)));
  const common = [...(all[0] ?? [])].filter((trait) => all.every((traits) => traits.has(trait)));
  const named = new Set(common.map((trait) => trait.split('=')[0]));
  // A parameter that all of them have, with whatever value, is telling too.
  const names = sharedNames(all).filter((name) => !named.has(name));
  const words = [...common.filter((trait) => trait.includes('=')), ...names.map((name) => `a ${name}`)];
  return words.length === 0 || occurrences.some(({ exchange }) => exchange.operationId === undefined)
    ? ''
    : ` with ${joinWords(words, 'and')}`;
}

/** The percent escape of a letter or a digit, which need not be written so (RFC 3986 section 2.3). */
const ESCAPED = /%(?:3\d|4[1-9a-f]|5[\da]|6[1-9a-f]|7[\da])/i;

/** What a run sends unless a scenario says otherwise: JSON, and it accepts errors in a form of JSON. */
const USUAL = /^application\/json(?:, application\/[\w.-]+\+json)*$/;
const TELLING: ReadonlySet<string> = new Set(['accept', 'content-type']);

function listTraits({ path, headers, credentials = [] }: ExchangeResult['request']): string[] {
  const query = path.split('?')[1];
  // What every request shows is no trait of some.
  const isCredential = (pair: string): boolean =>
    credentials.some(({ kind, at }) => kind === 'query' && pair.startsWith(`${encodeURIComponent(at)}=`));
  return [
    ...(query === undefined
      ? []
      : query
          .split('&')
          .filter((pair) => !isCredential(pair))
          .flatMap(listForms)),
    ...Object.entries(headers).flatMap(([name, value]) =>
      TELLING.has(name.toLowerCase()) && !USUAL.test(value) ? [`${name}=${value}`] : [],
    ),
  ];
}

/** A pair as it means, and as it was sent: the one or the other may be what requests have in common. */
function listForms(pair: string): string[] {
  const plain = unescapeUsual(pair);
  return plain === pair ? [pair] : [plain, pair];
}

/** A letter and its percent escape are the same (RFC 3986 section 6.2.2.2). */
function unescapeUsual(pair: string): string {
  return pair.replaceAll(/%([0-9a-f]{2})/gi, (all, digits: string) => {
    const letter = String.fromCodePoint(Number.parseInt(digits, 16));
    return /[\w.~-]/.test(letter) ? letter : all;
  });
}

function sharedNames(all: readonly ReadonlySet<string>[]): string[] {
  const names = all.map((traits) => new Set([...traits].map((trait) => trait.split('=')[0] ?? '')));
  return [...(names[0] ?? [])].filter((name) => name !== '' && names.every((each) => each.has(name)));
}

/** Whether the failing request should be served, should be refused, or has no key. */
export function kindOfRequest({ exchange: { request } }: Occurrence): string {
  if (request.auth !== 'valid' && request.auth !== 'lowerCaseField') return 'key';
  return request.breaks === undefined ? 'valid' : 'invalid';
}

/** Whether a request that is refused, in whatever way, is so for nothing but what it shows in place of the key. */
export function isForKeyAlone(each: Occurrence): boolean {
  const { request } = each.exchange;
  return kindOfRequest(each) === 'key' && request.breaks === undefined && request.asksUnknown !== true;
}
