import type { Content, Operation } from './model.js';
import { parseJson, printJson } from './document/json.js';
import { asObject, asText, remember } from './document/plain.js';

// Media types, media ranges and `Accept` (RFC 9110 sections 8.3.1 and 12.5.1), for both programs.

type Parameterized = { value: string; parameters: Readonly<Record<string, string>> };

const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/** Reads `text/plain; charset="utf-8"`. What is no parameter is passed over. */
export function readParameterized(text: string): Parameterized {
  const parameters: Record<string, string> = {};
  for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER))
    parameters[name.toLowerCase()] = quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/g, '$1');
  return { value: bareMediaType(text), parameters };
}

export const bareMediaType = (text: string | undefined): string => (text?.split(';')[0] ?? '').trim().toLowerCase();

const readMediaType = remember((text: string): Parameterized => {
  const { value, parameters } = readParameterized(text);
  const kept = Object.entries(parameters).flatMap(([name, each]) => {
    if (name === 'boundary' || (name === 'charset' && /^(?:utf-?8|us-ascii)$/i.test(each))) return [];
    return [[name, name === 'charset' ? each.toLowerCase() : each] as const];
  });
  return { value, parameters: Object.fromEntries(kept) };
}, 500);

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
  const [wide, { value, parameters }] = [readMediaType(range), readMediaType(mediaType)];
  // Some documents write `application/*+json`.
  const [start = '', end, ...more] = wide.value.split('*');
  const isRange = end !== undefined && more.length === 0 && /^[^/]+\/$/.test(start);
  const isWithin = isRange && value.startsWith(start) && value.endsWith(end);
  const isAny = wide.value === '*/*' || wide.value === '*';
  const type = wide.value === value ? 4 : isAny ? 1 : isWithin ? (end === '' ? 2 : 3) : 0;
  const names = Object.keys(wide.parameters);
  const isFitting = type > 0 && names.every((name) => wide.parameters[name] === parameters[name]);
  return isFitting ? type * 100 + names.length : undefined;
}

export const coversMediaType = (range: string, mediaType: string): boolean => rank(range, mediaType) !== undefined;

/** The most specific entry for a type (OpenAPI 3.0.4, Request Body Object); only `*\/*` includes an absent one. */
export function findContent<Entry extends { mediaType: string }>(
  content: readonly Entry[],
  mediaType: string | undefined,
): Entry | undefined {
  const exact = content.find((entry) => entry.mediaType === mediaType);
  if (exact !== undefined) return exact;
  const ranked = content.flatMap((entry) => {
    const own = rank(entry.mediaType, mediaType ?? '');
    return own === undefined ? [] : [{ entry, own }];
  });
  return ranked.toSorted((one, other) => other.own - one.own)[0]?.entry;
}

export const isJsonMediaType = (mediaType: string): boolean => /^[^;]*\bjson\b/i.test(mediaType);

export function narrowMediaType(range: string, value?: unknown): string {
  const [type = '*', subtype = ''] = bareMediaType(range).split('/');
  if (!`${type}/${subtype}`.includes('*')) return range;
  if (subtype.startsWith('*+')) return `${type}/${subtype.replace('*', 'vnd.example')}`;
  if (type === '*' || type === 'application')
    return typeof value === 'string' && type === 'application' ? 'application/octet-stream' : 'application/json';
  const kinds: Readonly<Record<string, string>> = { image: 'png', audio: 'mpeg', video: 'mp4', font: 'woff2' };
  return `${type}/${kinds[type] ?? (type === 'multipart' ? 'form-data' : 'plain')}`;
}

type Accepted = Record<'range', string> & Record<'weight', number>;
export type Acceptable<Entry> = { content: Entry; mediaType: string };

/** By weight, specificity, order of `Accept`, exactness, JSON first, order of the contract. An absent field takes all. */
export function chooseAccepted<Entry extends { mediaType: string }>(
  content: readonly Entry[],
  accept: string | undefined,
): Acceptable<Entry> | undefined {
  const ranges = (
    (accept === undefined || accept.trim() === '' ? '*/*' : accept).match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? []
  ).flatMap((each) => {
    const { q = '1' } = readParameterized(each).parameters;
    // Whatever the charset, the response is in the one of its own that the contract gives it.
    const range = normalizeMediaType(each.replace(/;\s*(?:q|charset)\s*=[^;]*/gi, ''));
    const weight = Number(q);
    return range === '' ? [] : [{ range, weight: Number.isNaN(weight) ? 1 : weight }];
  });
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
  const [found] = ranges
    .flatMap(({ range, weight }, index) => {
      const own = rank(range, mediaType);
      return own === undefined ? [] : [{ weight, own, place: -index, isExact: range === mediaType ? 1 : 0 }];
    })
    .toSorted((one, other) => other.own - one.own);
  if (found === undefined || found.weight <= 0) return undefined;
  return [found.weight, Math.floor(found.own / 100), found.place, found.isExact];
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

export function readSequence(text: string, kind: SequenceKind): unknown[] {
  if (kind === 'events')
    return text.split(/(?:\r\n|\r|\n){2,}/).flatMap((block) => {
      // Lines of comments have no fields (WHATWG HTML, Server-sent events).
      const fields: Record<string, unknown> = {};
      for (const line of block.split(/\r\n|\r|\n/)) {
        const [, name = '', value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
        const before = name === 'data' ? asText(fields[name]) : undefined;
        if (name === 'retry') fields[name] = /^\d+$/.test(value) ? Number(value) : value;
        else if (OF_EVENTS.includes(name)) fields[name] = before === undefined ? value : `${before}\n${value}`;
      }
      return Object.keys(fields).length === 0 ? [] : [fields];
    });
  // RFC 7464 section 2.2: each text begins with a record separator.
  const texts = text.split(kind === 'records' ? '\u001e' : /\r?\n/).filter((each) => each.trim() !== '');
  return texts.map((each) => {
    const parsed = parseJson(each);
    return parsed.ok ? parsed.value : undefined;
  });
}

export function writeSequence(items: readonly unknown[], kind: SequenceKind): string {
  const written = items.map((item) => {
    if (kind !== 'events') return `${kind === 'records' ? '\u001e' : ''}${printJson(item)}\n`;
    // What is not an event is the data of one.
    const isEvent = Object.keys(asObject(item)).some((name) => OF_EVENTS.includes(name));
    const event = isEvent ? asObject(item) : { data: item };
    const lines = OF_EVENTS.filter((name) => event[name] !== undefined).flatMap((name) =>
      (asText(event[name]) ?? printJson(event[name])).split('\n').map((line) => `${name}: ${line}\n`),
    );
    return `${lines.join('')}\n`;
  });
  return written.join('');
}

const OF_EVENTS = ['event', 'id', 'retry', 'data'];

export const MERGE_PATCH = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

export function recordTypeOf({ requestBody }: Operation): string | undefined {
  const types = requestBody?.content.map(({ mediaType }) => mediaType) ?? [];
  return (
    ['application/json', MERGE_PATCH].find((type) => types.includes(type)) ??
    types.find((type) => /^application\/(?:json$|[^*]*\+json$)/.test(bareMediaType(type)) && type !== JSON_PATCH) ??
    [FORM, MULTIPART].find((type) => types.includes(type))
  );
}

export function formOf({ requestBody }: Operation, mediaType: string | null | undefined): Content | undefined {
  if (mediaType !== FORM && mediaType !== MULTIPART) return undefined;
  return requestBody?.content.find((each) => each.mediaType === mediaType);
}
