import { parseExact, printExact, messageOf } from '../exact-json.js';
import type { Field } from './fields.js';

export type Entry = Readonly<Record<string, unknown>>;

/** Stands in a draft for an empty text, since nothing stands for a field that is left out. Nobody can type half a character. */
export const EMPTY_TEXT = '\uD800';

export type Draft = Readonly<Record<string, string>>;

export const toDraft = (entry: Entry, fields: readonly Field[]): Draft =>
  Object.fromEntries(fields.map((field) => [field.name, write(entry[field.name], field)]));

function write(value: unknown, { kind }: Field): string {
  if (value === undefined) return '';
  if (kind === 'json') return printExact(value, '  ');
  if (kind === 'choice') return printExact(value);
  if (value === null) return '';
  if (value === '' && kind === 'text') return EMPTY_TEXT;
  return typeof value === 'string' ? value : printExact(value);
}

/** What a form says: a record, or why some fields cannot be sent. */
type Read = { entry: Entry } | { problems: Readonly<Record<string, string>> };

/** The record of a form: untouched fields keep their exact value, emptied ones are left out unless EMPTY_TEXT. */
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
      if (field.kind === 'text') entry[field.name] = text === EMPTY_TEXT ? '' : text;
      else entry[field.name] = field.kind === 'number' ? readNumber(text.trim()) : parseExact(text);
    } catch (error) {
      problems[field.name] = `This is not JSON: ${messageOf(error)}`;
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

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** What is no number is sent as it is, and the mock says what is wrong with it. */
export function readNumber(text: string): unknown {
  if (!NUMBER.test(text)) return text;
  if (!/^-?\d+$/.test(text)) return parseExact(text);
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

export type Problems = { byField: Readonly<Record<string, string>>; general: string | undefined };
type Refusal = { message: string; violations: readonly { pointer: string; message: string }[] };

/** Puts what the mock refuses at the fields that it names. */
export function placeProblems({ message, violations }: Refusal, fields: readonly Pick<Field, 'name'>[]): Problems {
  const byField: Record<string, string> = {};
  const others: string[] = [];
  for (const violation of violations) {
    const [, step = ''] = violation.pointer.split('/');
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const told = violation.message.replace(/^body[/ ]?/, '');
    if (!fields.some((field) => field.name === name)) others.push(told);
    else byField[name] = [byField[name], sayOf(name, told)].filter((text) => text !== undefined).join('; ');
  }
  if (violations.length === 0) return { byField, general: message };
  return { byField, general: others.length === 0 ? undefined : others.join('; ') };
}

/** `name must be a string` stands at the field `name`, whose name need not be said again; that of a part of it does. */
function sayOf(name: string, told: string): string {
  if (!told.startsWith(`${name} `)) return told;
  const rest = told.slice(name.length + 1);
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}

type Fields = Readonly<Record<string, unknown>>;

/** The merge patch (RFC 7396) that turns one record into another: removed fields are `null`, unchanged ones are left out. */
export function makePatch(before: Fields, after: Fields): Record<string, unknown> {
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const changed = Object.entries(after).filter(
    ([name, value]) => !Object.hasOwn(before, name) || printExact(before[name]) !== printExact(value),
  );
  return Object.fromEntries([
    ...removed.map((name) => [name, null]),
    ...changed.map(([name, value]) => {
      const old = before[name];
      return [name, isFields(old) && isFields(value) ? makePatch(old, value) : value];
    }),
  ]) as Record<string, unknown>;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
