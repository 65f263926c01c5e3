import { parseJson, printJson } from './document/json.js';
import { asObject, asText } from './document/plain.js';

// Media types, media ranges and `Accept` (RFC 9110 sections 8.3.1 and 12.5.1), for both programs.

interface Parameterized {
  /** In lower case: `application/json`, `form-data`. */
  value: string;
  parameters: Readonly<Record<string, string>>;
}

const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/** Reads `text/plain; charset="utf-8"`. What is no parameter is passed over. */
export function readParameterized(text: string): Parameterized {
  const parameters: Record<string, string> = {};
  for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER)) {
    parameters[name.toLowerCase()] = quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/g, '$1');
  }
  return { value: (text.split(';')[0] ?? '').trim().toLowerCase(), parameters };
}

/** The type alone, in lower case without parameters; `''` for an absent one. */
export function bareMediaType(text: string | undefined): string {
  return text === undefined ? '' : (text.split(';')[0] ?? '').trim().toLowerCase();
}

const readKnown = new Map<string, Parameterized>();
const MOST_KNOWN = 500;

function readMediaType(text: string): Parameterized {
  const known = readKnown.get(text);
  if (known !== undefined) return known;
  const { value, parameters } = readParameterized(text);
  const kept = Object.entries(parameters).filter(
    ([name, each]) => !(name === 'boundary' || (name === 'charset' && /^(?:utf-?8|us-ascii)$/i.test(each))),
  );
  const lower = ([name, each]: [string, string]): [string, string] => [
    name,
    name === 'charset' ? each.toLowerCase() : each,
  ];
  const made = { value, parameters: Object.fromEntries(kept.map(lower)) };
  if (readKnown.size === MOST_KNOWN) readKnown.clear();
  readKnown.set(text, made);
  return made;
}

/** A key of a `content` map in one spelling: `application/json; version=1`. Without a boundary, and without `charset=utf-8`. */
export function normalizeMediaType(text: string): string {
  const { value, parameters } = readMediaType(text);
  const written = Object.entries(parameters).map(([name, each]) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(each) ? `; ${name}=${each}` : `; ${name}="${each.replace(/["\\]/g, '\\$&')}"`,
  );
  return value + written.join('');
}

/** How specific a range is that includes a media type: `a/b`, `a/*+b`, `a/*`, each before fewer parameters. */
function rank(range: string, mediaType: string): number | undefined {
  const [wide, given] = [readMediaType(range), readMediaType(mediaType)];
  const type = rankType(wide.value, given.value);
  if (type === undefined) return undefined;
  const names = Object.keys(wide.parameters);
  return names.every((name) => wide.parameters[name] === given.parameters[name])
    ? type * 100 + names.length
    : undefined;
}

function rankType(range: string, type: string): number | undefined {
  if (range === type) return 4;
  if (range === '*/*' || range === '*') return 1;
  if (range.endsWith('/*')) return type.startsWith(range.slice(0, -1)) ? 2 : undefined;
  // Some documents write `application/*+json`.
  const [start = '', end, ...more] = range.split('*');
  const isRange = end !== undefined && more.length === 0 && /^[^/]+\/$/.test(start);
  return isRange && type.startsWith(start) && type.endsWith(end) ? 3 : undefined;
}

/** Whether a media type of the contract, which may be a range such as `image/*`, includes the one that was sent. */
export function coversMediaType(range: string, mediaType: string): boolean {
  return rank(range, mediaType) !== undefined;
}

/** The most specific entry for a type (OpenAPI 3.0.4, Request Body Object); only `*\/*` includes an absent one. */
export function findContent<Entry extends { mediaType: string }>(
  content: readonly Entry[],
  mediaType: string | undefined,
): Entry | undefined {
  let found = content.find((entry) => entry.mediaType === mediaType);
  if (found !== undefined) return found;
  let best = -1;
  for (const entry of content) {
    const own = rank(entry.mediaType, mediaType ?? '');
    if (own === undefined || own <= best) continue;
    [found, best] = [entry, own];
  }
  return found;
}

/** Whether content of this media type, written with parameters or without, is JSON. */
export function isJsonMediaType(mediaType: string): boolean {
  return /^[^;]*\bjson\b/i.test(mediaType);
}

/** A concrete media type to send for a range whose client takes anything. */
export function narrowMediaType(range: string, value?: unknown): string {
  const [type = '*', subtype = ''] = bareMediaType(range).split('/');
  if (!`${type}/${subtype}`.includes('*')) return range;
  if (subtype.startsWith('*+')) return `${type}/${subtype.replace('*', 'vnd.example')}`;
  if (type === '*' || type === 'application')
    return typeof value === 'string' && type === 'application' ? 'application/octet-stream' : 'application/json';
  return KINDS[type] ?? `${type}/plain`;
}

const KINDS: Readonly<Record<string, string>> = {
  image: 'image/png',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  font: 'font/woff2',
  multipart: 'multipart/form-data',
};

interface Accepted {
  range: string;
  weight: number;
}

function readAccept(accept: string): Accepted[] {
  return (accept.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? []).flatMap((each) => {
    const { q = '1' } = readParameterized(each).parameters;
    // Whatever the charset, the response is in the one of its own that the contract gives it.
    const range = normalizeMediaType(each.replace(/;\s*(?:q|charset)\s*=[^;]*/gi, ''));
    const weight = Number(q);
    return range === '' ? [] : [{ range, weight: Number.isNaN(weight) ? 1 : weight }];
  });
}

/** An entry of a `content` map for a client, and what to send it as: a range still where `Accept` leaves that open. */
export interface Acceptable<Entry> {
  content: Entry;
  mediaType: string;
}

/** By weight, specificity, order of `Accept`, exactness, JSON first, order of the contract. An absent field takes all. */
export function chooseAccepted<Entry extends { mediaType: string }>(
  content: readonly Entry[],
  accept: string | undefined,
): Acceptable<Entry> | undefined {
  const ranges = readAccept(accept === undefined || accept.trim() === '' ? '*/*' : accept);
  const offers = content.flatMap((entry) =>
    listConcrete(entry.mediaType, ranges).flatMap((mediaType) => {
      const given = weigh(narrowMediaType(mediaType), ranges);
      const isJson = isJsonMediaType(narrowMediaType(mediaType)) ? 1 : 0;
      return given === undefined ? [] : [{ content: entry, mediaType, order: [...given, isJson] }];
    }),
  );
  return offers.toSorted((one, other) => {
    const at = one.order.findIndex((each, index) => each !== other.order[index]);
    return at === -1 ? 0 : (other.order[at] ?? 0) - (one.order[at] ?? 0);
  })[0];
}

function listConcrete(key: string, ranges: readonly Accepted[]): string[] {
  if (!bareMediaType(key).includes('*')) return [key];
  const named = ranges.map(({ range }) => range).filter((range) => !range.includes('*') && coversMediaType(key, range));
  // Where JSON may be sent, that is what such a key means.
  const usual = weigh(narrowMediaType(key), ranges);
  return usual !== undefined && isJsonMediaType(narrowMediaType(key)) ? [key] : [key, ...named];
}

/** What the most specific range that includes a type says of it, more before less; `undefined` if that rejects it. */
function weigh(mediaType: string, ranges: readonly Accepted[]): number[] | undefined {
  let found: { weight: number; rank: number; place: number; isExact: number } | undefined;
  for (const [index, { range, weight }] of ranges.entries()) {
    const own = rank(range, mediaType);
    if (own === undefined || (found !== undefined && own <= found.rank)) continue;
    found = { weight, rank: own, place: -index, isExact: range === mediaType ? 1 : 0 };
  }
  if (found === undefined || found.weight <= 0) return undefined;
  return [found.weight, Math.floor(found.rank / 100), found.place, found.isExact];
}

export const FORM = 'application/x-www-form-urlencoded';
export const MULTIPART = 'multipart/form-data';

/** How the items of a sequential media type are written (OpenAPI 3.2.0, Sequential Media Types). */
type SequenceKind = 'lines' | 'records' | 'events';

/** `undefined` for a media type that is no sequence, or one of parts. */
export function findSequenceKind(written: string): SequenceKind | undefined {
  const mediaType = bareMediaType(written);
  if (mediaType === 'text/event-stream') return 'events';
  if (/^application\/(?:.+\+)?json-seq$/.test(mediaType)) return 'records';
  return /^(?:application|text)\/(?:x-)?(?:jsonl|jsonlines|json-lines|ndjson|jsonlines\+json|.+\+jsonl|.+\+ndjson)$/.test(
    mediaType,
  )
    ? 'lines'
    : undefined;
}

/** The items of a text; one that is not JSON is `undefined`. */
export function readSequence(text: string, kind: SequenceKind): unknown[] {
  if (kind === 'events') return text.split(/(?:\r\n|\r|\n){2,}/).flatMap(readEvent);
  // RFC 7464 section 2.2: each text begins with a record separator.
  const texts = text.split(kind === 'records' ? '\u001e' : /\r?\n/).filter((each) => each.trim() !== '');
  return texts.map((each) => {
    const parsed = parseJson(each);
    return parsed.ok ? parsed.value : undefined;
  });
}

/** The fields of an event; lines of comments have none (WHATWG HTML, Server-sent events). */
function readEvent(block: string): object[] {
  const fields: Record<string, unknown> = {};
  for (const line of block.split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') fields[name] = fields[name] === undefined ? value : `${asText(fields[name]) ?? ''}\n${value}`;
    else if (name === 'retry') fields[name] = /^\d+$/.test(value) ? Number(value) : value;
    else if (name === 'event' || name === 'id') fields[name] = value;
  }
  return Object.keys(fields).length === 0 ? [] : [fields];
}

export function writeSequence(items: readonly unknown[], kind: SequenceKind): string {
  if (kind === 'events') return items.map(writeEvent).join('');
  return items.map((item) => (kind === 'records' ? `\u001e${printJson(item)}\n` : `${printJson(item)}\n`)).join('');
}

const OF_EVENTS = ['event', 'id', 'retry', 'data'];

function writeEvent(item: unknown): string {
  const isEvent = Object.keys(asObject(item)).some((name) => OF_EVENTS.includes(name));
  const event = isEvent ? asObject(item) : { data: item };
  const lines = OF_EVENTS.filter((name) => event[name] !== undefined).flatMap((name) =>
    (asText(event[name]) ?? printJson(event[name])).split('\n').map((line) => `${name}: ${line}\n`),
  );
  return `${lines.join('')}\n`;
}
