import type { Contract } from '../../../contract/contract.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import type { Row } from '../../scenarios/raw-scenario.js';
import { listInvalid, type InvalidRecord } from '../records/invalid-records.js';
import type { RecordTemplate } from '../records/made-records.js';
import { findViolation, isInvalid, isMergePatch, listGiven } from '../request-body.js';
import type { Subject } from '../subject.js';
import type { TableSource } from './table-source.js';
import { listForeign } from './values.js';

/** Updates of further fields are assumed to behave like those of the first. */
const MOST_CHANGES = 5;

export function listChanges({ subject, made, contract }: TableSource): Row[] {
  const update = subject.roles.update;
  if (update === undefined) return [];
  const described = listGiven(update, contract);
  const single = made.changed.filter(
    (name) => described.has(name) && isAllowed({ [name]: made.plain[name] }, update, contract),
  );
  const areAll = made.changed.every((name) => described.has(name));
  const whole = withoutKey(made.plain, subject);
  if (single.length === 0 && made.changed.length > 0 && areAll && isAllowed(whole, update, contract))
    return [{ id: 'everything', names: made.changed, record: withoutKey(made.other, subject) }];
  return single
    .slice(0, MOST_CHANGES)
    .map((name) => ({ id: name, names: [name], record: { [name]: made.other[name] } }));
}

/** An update with another key would update another record. */
function withoutKey(record: RecordTemplate, { resource: { key } }: Subject): RecordTemplate {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key.property));
}

function isAllowed(record: unknown, operation: RoleOperation, contract: Contract): boolean {
  return findViolation(record, operation, contract) === undefined;
}

/** This many refusals show whether an update is validated like a create. */
const MOST_INVALID_CHANGES = 16;

export function listInvalidChanges(role: 'update' | 'replace', source: TableSource): Row[] {
  const { subject, contract } = source;
  const change = subject.roles[role];
  if (change === undefined) return [];
  const single = spread(listInvalid(source)).flatMap(({ id, words, field, record }) =>
    role === 'replace'
      ? [{ id, words, record }]
      : Object.hasOwn(record, field)
        ? [{ id, words, record: { [field]: record[field] } }]
        : [],
  );
  // In a merge patch, null removes a field.
  const wrong = single.filter(({ id }) => !(isMergePatch(change) && id.endsWith('-that-is-null')));
  return wrong.filter(({ record }) => isInvalid(record, change, contract)).slice(0, MOST_INVALID_CHANGES);
}

/** The first row of each field, then the second of each. */
function spread(rows: readonly InvalidRecord[]): InvalidRecord[] {
  const turns = new Map<string, number>();
  const placed = rows.map((row) => {
    const turn = turns.get(row.field) ?? 0;
    turns.set(row.field, turn + 1);
    return { row, turn };
  });
  return placed.toSorted((one, other) => one.turn - other.turn).map(({ row }) => row);
}

/** All changes in one, so that each list or filter is requested once. */
export function mergeChanges(source: TableSource): Row[] {
  const rows = listChanges(source);
  const { update } = source.subject.roles;
  if (rows.length === 0 || update === undefined) return [];
  const record = Object.assign({}, ...rows.map((row) => row['record'])) as RecordTemplate;
  const plain = Object.fromEntries(Object.keys(record).map((name) => [name, source.made.plain[name]]));
  return isAllowed(plain, update, source.contract) ? [{ id: 'all', record }] : rows.slice(0, 1);
}

/** Updates of fields that only the service sets. */
export function listReadOnlyChanges({ subject, contract }: TableSource): Row[] {
  const { update } = subject.roles;
  if (update === undefined) return [];
  return listForeign(subject, update, contract)
    .filter(({ name, sample }) => isAllowed({ [name]: sample }, update, contract))
    .map(({ name, value }) => ({ id: name, record: { [name]: value }, unlike: { [name]: value } }));
}
