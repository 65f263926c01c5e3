import { readOnce } from '../../contract/document/document.js';
import { actOn } from '../../contract/gaps/gaps.js';
import { asObject } from '../../contract/document/plain.js';
import {
  hasMark,
  readProperties,
  type Property,
  areApart,
  readValueShape,
} from '../../contract/operations/properties.js';
import { plainName } from '../../contract/resources/words.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Call } from '../world/world.js';
import type { Fields } from '../store/stored-record.js';
import { chosenWhenOmitted } from './petstore-gaps.js';
import type { Served } from './served.js';

/** Which fields of a record a request may have. */
export interface KnownFields {
  /** Those that the contract describes. */
  sent: ReadonlySet<string>;
  /** Fields of the request that are not part of the record, so no answer shows them. */
  hidden: ReadonlySet<string>;
  /** Fields of which only the service decides (JSON Schema Validation 2020-12 section 9.4). */
  decided: ReadonlySet<string>;
  /** The record's names for fields that a request writes in another style: `FriendlyName` is `friendly_name`. */
  names: ReadonlyMap<string, string>;
  /** Whether it allows others. */
  isOpen: boolean;
}

export const readFields = readOnce(findFields);

function findFields({ contract, kept, role }: Served): KnownFields {
  const { document } = contract;
  const described = readProperties(document, kept.schemaPointer);
  const ofRecord = new Set(described.map(({ name }) => name));
  const sent = role.requestPointer === undefined ? [] : readProperties(document, role.requestPointer);
  // A record that describes a field without the mark lets an answer show it.
  const hidden = [...sent.filter(({ name }) => !ofRecord.has(name)), ...described]
    .filter(({ schemaPointer }) => hasMark(document, schemaPointer, 'writeOnly'))
    .map(({ name }) => name);
  const names = findOtherStyles(sent, described);
  const strangers = ofRecord.size === 0 ? [] : sent.map(({ name }) => name).filter((name) => !ofRecord.has(name));
  const others = listOtherwiseTyped(sent, described, document);
  const isSent = new Set(sent.map(({ name }) => name));
  // A request that describes a field without the mark lets a client give it.
  const readOnly = [...sent, ...described.filter(({ name }) => !isSent.has(name))].filter(({ schemaPointer }) =>
    hasMark(document, schemaPointer, 'readOnly'),
  );
  return {
    names,
    decided: new Set(readOnly.map(({ name }) => name)),
    sent: isSent,
    hidden: new Set([...hidden, ...strangers.filter((name) => !names.has(name)), ...others]),
    isOpen: sent.length === 0 || isOpenTo(schemaAt(document, role.requestPointer)),
  };
}

/** Fields whose values no record can have: a request may take a name where the record has an object. */
function listOtherwiseTyped(
  sent: readonly Property[],
  described: readonly Property[],
  document: Served['contract']['document'],
): string[] {
  const places = new Map(described.map(({ name, schemaPointer }) => [name, schemaPointer]));
  return sent
    .filter(({ name, schemaPointer }) => {
      const own = places.get(name);
      return (
        own !== undefined && areApart(readValueShape(document, schemaPointer, 0), readValueShape(document, own, 0))
      );
    })
    .map(({ name }) => name);
}

function findOtherStyles(sent: readonly Property[], described: readonly Property[]): Map<string, string> {
  const isTaken = new Set(sent.map(({ name }) => name));
  const ofRecord = new Set(described.map(({ name }) => name));
  const byPlain = new Map(described.map(({ name }) => [plainName(name), name]));
  const others = sent.flatMap(({ name }): [string, string][] => {
    const own = ofRecord.has(name) ? undefined : byPlain.get(plainName(name));
    return own === undefined || isTaken.has(own) ? [] : [[name, own]];
  });
  return new Map(others);
}

function schemaAt(document: Served['contract']['document'], pointer: string | undefined): Fields {
  return pointer === undefined ? {} : asObject(resolveAt(document, pointer).value);
}

/** Whether a schema explicitly allows further properties. */
function isOpenTo(schema: Fields): boolean {
  const more = schema['additionalProperties'];
  return more === true || (typeof more === 'object' && more !== null);
}

export function isKnownField(name: string, { sent, isOpen }: KnownFields): boolean {
  return isOpen || sent.has(name);
}

/** Fields under the names that the record has for them. */
export function nameAsRecord(fields: [string, unknown][], { names }: KnownFields): [string, unknown][] {
  return names.size === 0 ? fields : fields.map(([name, value]) => [names.get(name) ?? name, value]);
}

const KEEPS_EXTRA_FIELDS: Record<string, boolean> = { dropped: false, kept: true, 'refused-400': false };

/** The part of a request that is stored: without the key, and only the extra fields that the profile keeps. */
export function shapeFields(sent: Fields, { world, profile }: Call, served: Served): Fields {
  const fields = readFields(served);
  const keepsExtra = actOn(profile, 'extra-fields', KEEPS_EXTRA_FIELDS);
  const key = served.kept.key?.property;
  const taken = Object.entries(sent).filter(
    ([name]) => (keepsExtra || isKnownField(name, fields)) && !fields.hidden.has(name) && !fields.decided.has(name),
  );
  const kept = nameAsRecord(taken, fields).filter(([name]) => name !== key);
  const chosen = chosenWhenOmitted(sent, served.kept, world);
  // `fromEntries` defines own properties, so a field called `__proto__` stays data.
  return Object.fromEntries(chosen === undefined ? kept : [...kept, chosen]);
}
