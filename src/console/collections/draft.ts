import { parseExact, printExact } from '../exact-json.js';
import type { Field } from './fields.js';

export type Entry = Readonly<Record<string, unknown>>;

/** Stands in a draft for an empty text, since nothing stands for a field that is left out. Nobody can type half a character. */
export const EMPTY_TEXT = '\uD800';

/** A record as it is written in a form: a text for each field. */
export type Draft = Readonly<Record<string, string>>;

export function toDraft(entry: Entry, fields: readonly Field[]): Draft {
  return Object.fromEntries(fields.map((field) => [field.name, write(entry[field.name], field)]));
}

function write(value: unknown, { kind }: Field): string {
  if (value === undefined) return '';
  if (kind === 'json') return printExact(value, '  ');
  if (kind === 'choice') return printExact(value);
  if (value === null) return '';
  if (value === '' && kind === 'text') return EMPTY_TEXT;
  return typeof value === 'string' ? value : printExact(value);
}

/** What a form says: a record, or why some fields cannot be sent. */
export type Read = { entry: Entry } | { problems: Readonly<Record<string, string>> };

/**
 * The record that a form describes. A field that nobody touched keeps its value, exactly; one that was emptied is left out,
 * unless it is to be an empty text; what the form does not show stays. Whether the values are allowed, the mock says.
 */
export function fromDraft(draft: Draft, before: Entry, fields: readonly Field[]): Read {
  const start = toDraft(before, fields);
  const problems: Record<string, string> = {};
  const entry: Record<string, unknown> = { ...before };
  for (const field of fields) {
    const text = draft[field.name] ?? '';
    if (text === start[field.name]) continue;
    delete entry[field.name];
    if (text.trim() === '') continue;
    try {
      entry[field.name] = read(text, field);
    } catch (error) {
      problems[field.name] = `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return Object.keys(problems).length === 0 ? { entry: inOrder(entry, before, fields) } : { problems };
}

/** Taken out and put in again, a property would move to the end. */
function inOrder(entry: Entry, before: Entry, fields: readonly Field[]): Entry {
  const names = [...Object.keys(before), ...fields.map(({ name }) => name), ...Object.keys(entry)];
  return Object.fromEntries(
    [...new Set(names)].flatMap((name) => (Object.hasOwn(entry, name) ? [[name, entry[name]]] : [])),
  );
}

function read(text: string, { kind }: Field): unknown {
  if (kind === 'text') return text === EMPTY_TEXT ? '' : text;
  if (kind === 'number') return readNumber(text.trim());
  return parseExact(text);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** What is no number is sent as it is, and the mock says what is wrong with it. */
function readNumber(text: string): unknown {
  if (!NUMBER.test(text)) return text;
  if (!/^-?\d+$/.test(text)) return parseExact(text);
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
