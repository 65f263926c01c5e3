import { printExact } from '../exact-json.js';
import { readJsonText } from './json-text.js';
import type { BodyField } from './model.js';

/** A word of the contract that fits where the caret stands. */
export interface Suggestion {
  label: string;
  /** What is said about it. */
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
    .filter(({ pointer }) => isRightBelow(pointer, place))
    .map((field) => ({ field, label: nameOf(field) }))
    .filter(({ label }) => fits(label) && (!taken.has(label) || label === partial))
    .slice(0, MOST)
    .map(({ field, label }) => ({
      label,
      about: describeField(field),
      insert: `${JSON.stringify(label)}${hasColon ? '' : ': '}`,
      from,
      to,
    }));
}

function isRightBelow(pointer: string, place: string): boolean {
  return pointer.startsWith(`${place}/`) && !pointer.slice(place.length + 1).includes('/') && !pointer.endsWith('/*');
}

function nameOf({ pointer }: BodyField): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

function describeField({ required, types, description }: BodyField): string {
  return [required ? 'required' : '', [...new Set(types)].join(' or '), description ?? '']
    .filter((part) => part !== '')
    .join(' · ');
}

/** As JSON, but texts without their quotes. */
function listValues(field: BodyField | undefined): string[] {
  if (field === undefined) return [];
  const plain = field.types.flatMap((type) =>
    type === 'boolean' ? ['true', 'false'] : type === 'null' ? ['null'] : [],
  );
  const given = field.choices.map((choice) => (typeof choice === 'string' ? choice : printExact(choice)));
  return [...new Set([...given, ...(given.length > 0 ? plain.filter((each) => each === 'null') : plain)])];
}
