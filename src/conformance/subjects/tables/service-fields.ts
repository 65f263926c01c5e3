// What a record has of the service alone: filters by it, and choices that a client may not make.
import { asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { hasMark, readProperties } from '../../../contract/operations/properties.js';
import type { AskedRole } from '../../../contract/resources/resource.js';
import type { Row } from '../../model/raw-scenario.js';
import { findViolation, listGiven } from '../request-body.js';
import { readField, type Field } from '../subject.js';
import { findParameter } from './lists/filters.js';
import type { TableSource } from './table-source.js';

/** The fields with one of a few values that no client sends. */
function listChosen({ subject, contract }: TableSource): Field[] {
  const given = new Set(subject.fields.map(({ name }) => name));
  const own = readProperties(contract.document, subject.resource.schemaPointer);
  return own
    .filter(({ name, schemaPointer }) => !given.has(name) && !hasMark(contract.document, schemaPointer, 'writeOnly'))
    .map((each) => readField(each, contract.document))
    .filter(({ type, schema }) => type === 'boolean' || (Array.isArray(schema['enum']) && type === 'string'));
}

/** How many values of a filter are tried. */
const MOST_VALUES = 3;

export function listServiceFilters(source: TableSource): Row[] {
  const chosen = new Map(listChosen(source).map((field) => [field.name, field]));
  return (source.subject.roles.list?.list?.filters ?? []).flatMap(
    ({ parameter, property: [name = '', ...deeper], relation }) => {
      const field = deeper.length === 0 && relation === 'equals' ? chosen.get(name) : undefined;
      if (field === undefined) return [];
      const at = findParameter({ parameter, property: [name], relation }, source.subject)?.schemaPointer;
      const isTaken = (value: unknown): boolean =>
        at === undefined || source.contract.validate.value(at, value).length === 0;
      return listValues(field)
        .filter(isTaken)
        .slice(0, MOST_VALUES)
        .map((value) => ({
          id: `${parameter}-${value}`,
          parameter,
          field: name,
          value,
          filter: { [parameter]: value },
          every: { [name]: value },
          names: [name],
        }));
    },
  );
}

function listValues({ type, schema }: Field): (string | boolean)[] {
  if (type === 'boolean') return [true, false];
  return (schema['enum'] as unknown[]).filter((value) => typeof value === 'string' && value !== '') as string[];
}

/** How many read-only fields with a list of values are tried, and how many values of each. */
const MOST_FIELDS = 2;
const MOST_CHOICES = 2;

/** A value that only the service chooses, as a client sends it (JSON Schema Validation 2020-12 section 9.4). */
function listForeignChoices(role: AskedRole, source: TableSource): { name: string; value: string | boolean }[] {
  const { subject, contract } = source;
  const asked = subject.roles[role];
  if (asked === undefined) return [];
  const given = listGiven(asked, contract);
  const isMarked = ({ schemaPointer }: Field): boolean =>
    hasMark(contract.document, schemaPointer, 'readOnly') ||
    asObject(resolveAt(contract.document, schemaPointer).value)['readOnly'] === true;
  return listChosen(source)
    .filter((field) => field.type === 'string' && isMarked(field) && !given.has(field.name))
    .slice(0, MOST_FIELDS)
    .flatMap((field) =>
      listValues(field)
        .slice(0, MOST_CHOICES)
        .map((value) => ({ name: field.name, value })),
    );
}

export function listReadOnlyChoices(source: TableSource): Row[] {
  const { subject, made, contract } = source;
  const { create } = subject.roles;
  if (create === undefined) return [];
  return listForeignChoices('create', source)
    .filter(({ name, value }) => findViolation({ ...made.plain, [name]: value }, create, contract) === undefined)
    .map(({ name, value }) => ({
      id: `${name}-${value}`,
      field: name,
      record: { ...made.full, [name]: value },
      unlike: { [name]: value },
    }));
}

export function listReadOnlyChoicesOfChanges(source: TableSource): Row[] {
  const { subject, contract } = source;
  const { update } = subject.roles;
  if (update === undefined) return [];
  return listForeignChoices('update', source)
    .filter(({ name, value }) => findViolation({ [name]: value }, update, contract) === undefined)
    .map(({ name, value }) => ({
      id: `${name}-${value}`,
      field: name,
      record: { [name]: value },
      unlike: { [name]: value },
    }));
}

/** A replacement that says another key than its path, where a replacement says one. */
export function listOtherKeys({ subject, made, contract }: TableSource): Row[] {
  const { replace } = subject.roles;
  const { property } = subject.resource.key;
  if (replace === undefined || !listGiven(replace, contract).has(property) || !Object.hasOwn(made.full, property))
    return [];
  return [{ id: property }];
}
