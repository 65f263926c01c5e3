import { printExact } from '../exact-json.js';
import type { BodyField } from './to-request.js';

export interface Suggestion {
  label: string;
  about: string;
  /** The text that takes the place of `from` to `to`. */
  insert: string;
  from: number;
  to: number;
}

const MOST = 12;

/** What the contract knows for the caret's place: the names that an object may have, or the values that it allows. */
export function suggest(text: string, at: number, fields: readonly BodyField[]): Suggestion[] {
  const { caret } = readJsonText(text, at);
  if (caret === undefined) return [];
  const { from, to, place, partial, taken } = caret;
  const fits = (label: string): boolean => label.toLowerCase().startsWith(partial.toLowerCase());
  if (caret.wants === 'value') {
    const field = fields.find(({ pointer }) => pointer === place);
    return listValues(field)
      .filter(fits)
      .slice(0, MOST)
      .map((label) => {
        const isText = field?.choices.includes(label) === true;
        return { label, about: '', insert: isText ? JSON.stringify(label) : label, from, to };
      });
  }
  const hasColon = /^\s*:/.test(text.slice(to));
  return fields
    .filter(
      ({ pointer }) =>
        pointer.startsWith(`${place}/`) && !pointer.slice(place.length + 1).includes('/') && !pointer.endsWith('/*'),
    )
    .map((field) => ({
      field,
      label: field.pointer
        .slice(field.pointer.lastIndexOf('/') + 1)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~'),
    }))
    .filter(({ label }) => fits(label) && (!taken.has(label) || label === partial))
    .slice(0, MOST)
    .map(({ field, label }) => ({
      label,
      about: [field.required ? 'required' : '', [...new Set(field.types)].join(' or '), field.description ?? '']
        .filter((part) => part !== '')
        .join(' · '),
      insert: `${JSON.stringify(label)}${hasColon ? '' : ': '}`,
      from,
      to,
    }));
}

function listValues(field: BodyField | undefined): string[] {
  if (field === undefined) return [];
  const plain = field.types.flatMap((type) =>
    type === 'boolean' ? ['true', 'false'] : type === 'null' ? ['null'] : [],
  );
  const given = field.choices.map((choice) => (typeof choice === 'string' ? choice : printExact(choice)));
  return [...new Set([...given, ...(given.length > 0 ? plain.filter((each) => each === 'null') : plain)])];
}

/** Where the caret stands in a JSON text that may be unfinished. */
interface Caret {
  /** What may stand there. */
  wants: 'key' | 'value';
  /** The object or list around it, as a pointer in which `*` is any item; for a value, the value's own. */
  place: string;
  partial: string;
  from: number;
  to: number;
  taken: ReadonlySet<string>;
}

interface Frame {
  kind: 'object' | 'list';
  pointer: string;
  /** With `*` for items. */
  place: string;
  key: string | undefined;
  index: number;
  taken: Set<string>;
}

const WORD = /[^\s{}[\],:"]/;

type Reading = { frames: Frame[]; places: Map<string, number> };

/** Reads a text as far as it goes: where each value begins, by JSON Pointer (RFC 6901), and what the caret wants. */
function readJsonText(text: string, caret = -1): { places: Map<string, number>; caret: Caret | undefined } {
  const reading: Reading = { frames: [], places: new Map() };
  const { frames, places } = reading;
  let found: Caret | undefined;
  let end = 0;
  for (let from = 0; from < text.length; from = end) {
    const sign = text[from] ?? '';
    const top = frames.at(-1);
    const isWord = sign === '"' || WORD.test(sign);
    end = sign === '"' ? endOfText(text, from) : from + 1;
    if (isWord && sign !== '"') while (end < text.length && WORD.test(text[end] ?? '')) end += 1;
    if (found === undefined && caret <= from && caret >= 0) found = look(reading, caret, caret, '');
    if (isWord && caret > from && caret <= end)
      found ??= look(reading, from, end, text.slice(from, caret).replaceAll('"', ''));
    if (isWord && top?.kind === 'object' && top.key === undefined) {
      top.key = text.slice(from, end).replaceAll('"', '');
      top.taken.add(top.key);
    } else if (isWord) places.set(nextPlace(reading).pointer, from);
    else if (sign === '{' || sign === '[') {
      const next = nextPlace(reading);
      places.set(next.pointer, from);
      frames.push({ ...next, kind: sign === '{' ? 'object' : 'list', key: undefined, index: 0, taken: new Set() });
    } else if (sign === '}' || sign === ']') frames.pop();
    else if (sign === ',' && top !== undefined) Object.assign(top, { key: undefined, index: top.index + 1 });
  }
  if (found === undefined && caret >= text.length) found = look(reading, caret, caret, '');
  return { places, caret: found };
}

/** A text that nobody closed ends with its line. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
    else if (text[at] === '\n') return at;
  }
  return text.length;
}

function nextPlace({ frames }: Reading): { pointer: string; place: string } {
  const top = frames.at(-1);
  if (top === undefined) return { pointer: '', place: '' };
  const key = top.key === undefined ? '' : top.key.replaceAll('~', '~0').replaceAll('/', '~1');
  return top.kind === 'list'
    ? { pointer: `${top.pointer}/${top.index}`, place: `${top.place}/*` }
    : { pointer: `${top.pointer}/${key}`, place: `${top.place}/${key}` };
}

function look(reading: Reading, from: number, to: number, partial: string): Caret {
  const top = reading.frames.at(-1);
  const isKey = top?.kind === 'object' && top.key === undefined;
  const place = isKey ? top.place : nextPlace(reading).place;
  return { wants: isKey ? 'key' : 'value', place, partial, from, to, taken: top?.taken ?? new Set() };
}

export function findOffset(text: string, pointer: string): number {
  const { places } = readJsonText(text);
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const offset = places.get(at);
    if (offset !== undefined) return offset;
    if (at === '') return 0;
  }
}

export const findLineOf = (text: string, pointer: string): number =>
  text.slice(0, findOffset(text, pointer)).split('\n').length;
