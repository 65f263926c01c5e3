import type { ExchangeResult } from '../model/result.js';
import type { Occurrence } from './occurrence.js';
import { joinWords } from './occurrence.js';

/** Kinds of ids, the rarest first: what all failing requests have in common suggests why they fail. */
const IDS: readonly (readonly [string, (id: string) => boolean])[] = [
  ['an id that is not an integer', (id) => !/^-?\d+$/.test(id)],
  ['an id past int64', (id) => Number(id) > 9.3e18],
  ['a negative id', (id) => id.startsWith('-')],
  ['an id past 2^53', (id) => Number(id) > Number.MAX_SAFE_INTEGER],
  ['an id past 2^31', (id) => Number(id) >= 2 ** 31],
  ['the id 0', (id) => id === '0'],
];

/** An id that no pet has is large, so its size says the least. */
function describeIds(occurrences: readonly Occurrence[]): string | undefined {
  if (occurrences.every(({ exchange }) => isEscaped(exchange))) return 'an id with a percent escape in it';
  const kind = describeKind(occurrences);
  const isUnknown = occurrences.every(({ exchange }) => exchange.request.asksUnknown === true);
  return isUnknown && (kind === undefined || /past 2\^(?:31|53)/.test(kind)) ? 'an id that no pet has' : kind;
}

function describeKind(occurrences: readonly Occurrence[]): string | undefined {
  const ids = occurrences.map(({ exchange }) => readAskedId(exchange));
  return IDS.find(([, fits]) => ids.every((id) => id !== undefined && fits(id)))?.[0];
}

/** Whether a number is written otherwise than it need be (RFC 3986 section 2.3). */
function isEscaped(exchange: Pick<ExchangeResult, 'operationId' | 'request'>): boolean {
  return /^-?\d+$/.test(readAskedId(exchange) ?? '') && /%3\d[^/]*$/.test(exchange.request.path);
}

/** The id of the requested pet, as the service reads it. */
export function readAskedId({
  operationId,
  request,
}: Pick<ExchangeResult, 'operationId' | 'request'>): string | undefined {
  if (operationId !== 'getPet') return undefined;
  const [, id] = /([^/?]*)(?:\?|$)/.exec(request.path) ?? [];
  return id === undefined ? undefined : decodeSafely(id);
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
  const ids = describeIds(occurrences);
  if (ids !== undefined) return ` for ${ids}`;
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
