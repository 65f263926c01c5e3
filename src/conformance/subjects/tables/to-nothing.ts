// Updates to what a program takes for nothing, and beside what is not the default.
import { asObject } from '../../../contract/document/plain.js';
import { plainName } from '../../../contract/resources/words.js';
import type { Row } from '../../model/raw-scenario.js';
import type { RecordTemplate } from '../records/made-records.js';
import { findViolation, listGiven } from '../request-body.js';
import { sameJson } from '../../../contract/document/json.js';
import { isOneOfAll, type Field } from '../subject.js';
import { readDefault } from '../read-default.js';
import { listChanges } from './changes.js';
import type { TableSource } from './table-source.js';

/** Places among others: what comes first moves all that follow. */
const PLACES = /^(?:position|order|rank|index|priority|sort|sequence|weight)/;

/** A flag that is on is turned off, a number becomes 0: where an update may say so, and a new record may have either. */
export function listChangesToNothing(source: TableSource): Row[] {
  const { subject, made, contract } = source;
  const { update, create } = subject.roles;
  if (update === undefined || create === undefined) return [];
  const described = listGiven(update, contract);
  // What is set of one record is taken from another.
  const alone = subject.fields.filter((field) => !isOneOfAll(field) && !PLACES.test(plainName(field.name)));
  const tried = alone.flatMap(({ name, type, isShown }) => {
    const before = type === 'boolean' ? true : made.plain[name];
    const after = type === 'boolean' ? false : 0;
    const isNumber = typeof before === 'number' && before !== 0 && made.changed.includes(name);
    return isShown && described.has(name) && (type === 'boolean' || isNumber) ? [{ name, before, after }] : [];
  });
  const fitting = tried.filter(
    ({ name, before, after }) =>
      findViolation({ [name]: after }, update, contract) === undefined &&
      [before, after].every((value) => findViolation({ ...made.plain, [name]: value }, create, contract) === undefined),
  );
  const names = fitting.map(({ name }) => name);
  const of = (when: 'before' | 'after'): RecordTemplate =>
    Object.fromEntries(fitting.map((each) => [each.name, each[when]]));
  if (names.length === 0) return [];
  const other = listChanges(source).find(({ id }) => !names.includes(id));
  const further = other?.['record'] ?? of('after');
  const furtherNames = Object.keys(further);
  const changes = { before: of('before'), record: of('after'), further };
  return [{ id: 'all', words: names.join(', '), ...changes, furtherNames, besideNames: [...names, ...furtherNames] }];
}

/** Values that are not the default: of a list that the contract has, which may be states, and of all other fields. */
export function listOffDefaults(source: TableSource): Row[] {
  const { subject, made, contract } = source;
  const { create, update } = subject.roles;
  if (create === undefined || update === undefined) return [];
  const found = subject.fields.flatMap((field) => {
    const { name, schemaPointer, recordPointer, schema } = field;
    const usual =
      readDefault(schemaPointer, schema, contract) ??
      (recordPointer === undefined ? undefined : readDefault(recordPointer, {}, contract));
    if (usual === undefined || !field.isShown || isOneOfAll(field)) return [];
    const value = listOthers(field, made).find(
      (each) =>
        !sameJson(each, usual) && findViolation({ ...made.plain, [name]: each }, create, contract) === undefined,
    );
    return value === undefined ? [] : [{ name, value, isChoice: schema['enum'] !== undefined }];
  });
  return [true, false].flatMap((isChoice) => {
    const own = found.filter((each) => each.isChoice === isChoice);
    const names = own.map(({ name }) => name);
    const further = listChanges(source).find(({ id }) => !names.includes(id))?.['record'];
    if (names.length === 0 || further === undefined) return [];
    const furtherNames = Object.keys(asObject(further));
    const record = Object.fromEntries(own.map(({ name, value }) => [name, value]));
    const id = isChoice ? 'choices' : 'defaults';
    return [{ id, words: names.join(', '), record, further, furtherNames, besideNames: [...names, ...furtherNames] }];
  });
}

function listOthers({ name, type, schema }: Field, made: TableSource['made']): unknown[] {
  const listed = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : [];
  return [made.full[name], made.other[name], ...listed, ...(type === 'boolean' ? [true, false] : [])].filter(
    (each) => each !== undefined && each !== null,
  );
}
