import { plainName } from '../../contract/resources/words.js';
import type { Contract } from '../../contract/contract.js';
import { isOpenTime } from './records/place-in-time.js';
import { findReferred, readSubjects, type Field, type Subject } from './subject.js';

/**
 * Whether a service that conforms to the contract has no reason to refuse the record. A text may have to be a currency,
 * a key may have to be that of a record: the contract does not say so, and a refusal then proves nothing.
 */
export function isCertain(
  record: Readonly<Record<string, unknown>>,
  { subject, contract }: { subject: Subject; contract: Contract },
): boolean {
  const subjects = readSubjects(contract);
  return Object.keys(record).every((name) => {
    const field = subject.fields.find((each) => each.name === name);
    // A key that is not a text of the run's own may belong to another record; a format may be one that only the service knows.
    if (name === subject.resource.key.property) return isOwn(record[name]) && hasKnownFormat(field);
    return (
      field !== undefined &&
      (isReferenceMade(record[name]) ||
        (findReferred(field, subject, subjects) === undefined && isClosed(field, record[name])))
    );
  });
}

/** A record that the run created does exist. */
function isReferenceMade(value: unknown): boolean {
  return typeof value === 'string' && /^\{?\$scenarios\./.test(value);
}

function hasKnownFormat(field: Field | undefined): boolean {
  return [undefined, 'uuid', 'email'].includes(field?.schema['format'] as string | undefined);
}

function isOwn(value: unknown): boolean {
  return typeof value === 'string' && value.includes('$unique');
}

/** Fields that people fill in, for which any text will do. */
const FREE = new Set(
  'description notes note comment comments text body message summary bio about content remark remarks'.split(' '),
);

export function isFreeText(name: string): boolean {
  return FREE.has(plainName(name));
}

function isClosed({ name, type, schema }: Field, value: unknown): boolean {
  if (/(?:^|[a-z_-])(?:id|ids|key|uuid)$/i.test(name)) return false;
  if (Array.isArray(schema['enum']) || schema['const'] !== undefined) return true;
  if (type === 'boolean' || type === 'integer' || type === 'number') return true;
  if (type !== 'string') return false;
  // A booking may have to lie ahead, a birthday behind.
  if (isOpenTime({ schema })) return false;
  const isShown =
    schema['example'] !== undefined || schema['examples'] !== undefined || schema['default'] !== undefined;
  return isOwn(value) || isShown || isFreeText(name);
}
