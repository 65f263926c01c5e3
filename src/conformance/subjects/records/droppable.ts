// What a replacement of a whole record takes away.
import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import { sameJson } from '../../../contract/document/same-json.js';
import { saysLeft, saysReplaced, saysUpdated } from '../../../contract/operations/said-in-words.js';
import { hasMark, readProperties } from '../../../contract/operations/properties.js';
import type { Field, Subject } from '../subject.js';
import type { MadeRecords } from './made-records.js';

/**
 * What a replacement does not name is gone only where nothing else is said of it (RFC 9110 section 9.3.4). A PUT that is called an
 * update, or that need not have what a create must, may merge.
 */
export function replacesWhole({ roles: { replace, create } }: Subject, { document }: Contract): boolean {
  const { id = '', pointer = '' } = replace?.operation ?? {};
  const said = asObject(document.at(pointer));
  const countRequired = (at: string | undefined): number =>
    at === undefined ? 0 : readProperties(document, at).filter(({ required }) => required).length;
  const isPartial =
    countRequired(create?.requestPointer) > 0 &&
    countRequired(replace?.requestPointer) === 0 &&
    !saysReplaced(id, said);
  return !saysLeft(said) && !saysUpdated(id, said) && !isPartial;
}

/** What the smallest replacement removes; a default of the contract may take its place. */
export function listDroppable({ roles, fields }: Subject, made: MadeRecords, { document }: Contract): string[] {
  const named = readProperties(document, roles.replace?.requestPointer ?? '');
  const taken = new Set(
    named.filter(({ schemaPointer }) => !hasMark(document, schemaPointer, 'readOnly')).map(({ name }) => name),
  );
  const isTelling = (name: string): boolean =>
    made.changed.includes(name) || isNoDefault(made.other[name]) || isOfForm(fields, name);
  const optional = Object.keys(made.other).filter(
    (name) => taken.has(name) && !Object.hasOwn(made.minimal, name) && isTelling(name),
  );
  return optional.filter((name) =>
    fields.some(
      (field) =>
        field.name === name &&
        // What a record gets by default tells nothing only where it had that before.
        !sameJson(field.schema['default'], made.other[name]) &&
        !isOneOfFew(field) &&
        !saysLeft(field.schema),
    ),
  );
}

/** A value that no service chooses by itself: an address, a list with something in it. */
function isNoDefault(value: unknown): boolean {
  // A reference, also within a text.
  const isReference = typeof value === 'string' && /^(?:\$|\{\$(?:scenarios|run)\.)/.test(value);
  return (
    !isReference && ((Array.isArray(value) && value.length > 0) || (typeof value === 'string' && /[@/:]/.test(value)))
  );
}

/** A text of a form of its own, such as a serial number. */
function isOfForm(fields: readonly Field[], name: string): boolean {
  return fields.some(
    (field) => field.name === name && field.type === 'string' && field.schema['pattern'] !== undefined,
  );
}

/** A default that the service chooses could be any of them. */
function isOneOfFew({ type, schema }: Field): boolean {
  return type === 'boolean' || Array.isArray(schema['enum']);
}
