import { sampleValue } from '../../../contract/samples/sample.js';
import type { Served } from '../served.js';

/** A way to write a cursor, which is the key of the last record on the page before. */
interface Form {
  write: (key: string) => string;
  read: (cursor: string) => string;
}

/** The key itself first; the others are for contracts whose pattern for cursors has no room for it. */
const PLAIN: Form = { write: (key) => key, read: (cursor) => cursor };
const ENCODED = (['base64', 'base64url', 'hex'] as const).map((encoding) => ({
  write: (key: string) => Buffer.from(key).toString(encoding),
  read: (cursor: string) => Buffer.from(cursor, encoding).toString(),
}));

/**
 * The cursor of the page after the record with a key, in the first form that every schema takes: that of the query
 * parameter, and that of the place at which the answer shows it, if the contract has one.
 */
export function writeCursor(key: unknown, served: Served, shownAt?: string): string {
  const { validate } = served.contract;
  const pointers = [findParameterSchema(served), shownAt].filter((pointer) => pointer !== undefined);
  const isTaken = (text: string): boolean => pointers.every((at) => validate.value(at, text).length === 0);
  const texts = listForms(served).map(({ write }) => write(String(key)));
  return texts.find(isTaken) ?? String(key);
}

/** The keys that a cursor may stand for, the likeliest first. */
export function readCursor(cursor: string, served: Served): string[] {
  return listForms(served).map(({ read }) => read(cursor));
}

function listForms(served: Served): Form[] {
  const pointer = findParameterSchema(served);
  const sample = pointer === undefined ? undefined : sampleValue(served.contract.document, pointer);
  return [PLAIN, ...ENCODED, ...(typeof sample === 'string' ? [after(sample)] : [])];
}

/** A pattern that is not anchored takes any text in which something fits it. */
function after(prefix: string): Form {
  return {
    write: (key) => `${prefix}${key}`,
    read: (cursor) => (cursor.startsWith(prefix) ? cursor.slice(prefix.length) : cursor),
  };
}

function findParameterSchema({ role: { list, operation } }: Served): string | undefined {
  const paging = list?.paging;
  if (paging?.kind !== 'cursor') return undefined;
  return operation.parameters.find(({ name }) => name === paging.cursor)?.schemaPointer;
}
