// The tables of scenarios that the contract fills: a row for each limit, filter, field or kind of credentials.
import { listProperties } from '../../contract/operations/properties.js';
import { asksForCredentials } from '../../contract/security/read-security.js';
import type { Contract } from '../../contract/contract.js';
import type { Filter, Paging, RoleOperation } from '../../contract/resources/resource.js';
import type { Row } from '../scenarios/raw-scenario.js';
import type { TableSource } from './table-source.js';
import { GAP_TABLES } from './gap-tables.js';
import { listInvalid, type InvalidRecord } from './invalid-records.js';
import { wrap, type MadeRecords, type RecordTemplate } from './make-records.js';
import type { AskedRole } from '../../contract/resources/plain-roles.js';
import type { Subject } from './subject.js';

export const TABLES: Readonly<Record<string, (source: TableSource) => Row[]>> = {
  ...GAP_TABLES,
  $changes: listChanges,
  $limits: (source) => boundLimits(source, [1, 2]).map((limit) => ({ id: String(limit), limit })),
  $badLimits: listBadLimits,
  $pageSizes: listPageSizes,
  $filters: listFilters,
  $filterValues: listFilterValues,
  $invalid: ({ subject, made, contract }) =>
    listInvalid(subject, made, contract).map(({ id, words, record }) => ({ id, words, record })),
  $invalidChanges: (source) => listInvalidChanges('update', source),
  $invalidReplacements: (source) => listInvalidChanges('replace', source),
  $credentials: listCredentials,
  $credentialsOfChanges: listCredentialsOfChanges,
};

/** Updates of further fields are assumed to behave like those of the first. */
const MOST_CHANGES = 5;

function listChanges({ subject, made, contract }: TableSource): Row[] {
  const update = subject.roles.update;
  if (update === undefined) return [];
  const described = listProperties(contract.document, update.requestPointer ?? '');
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

function isAllowed(record: unknown, { operation, requestMember }: RoleOperation, contract: Contract): boolean {
  return contract.validate.requestBody(operation, 'application/json', wrap(record, requestMember)).length === 0;
}

/** This many refusals show whether an update is validated like a create. */
const MOST_INVALID_CHANGES = 10;

function listInvalidChanges(role: 'update' | 'replace', { subject, made, contract }: TableSource): Row[] {
  const change = subject.roles[role];
  if (change === undefined) return [];
  const single = spread(listInvalid(subject, made, contract)).flatMap(({ id, words, field, record }) =>
    role === 'replace'
      ? [{ id, words, record }]
      : Object.hasOwn(record, field)
        ? [{ id, words, record: { [field]: record[field] } }]
        : [],
  );
  return single.filter(({ record }) => !isAllowed(record, change, contract)).slice(0, MOST_INVALID_CHANGES);
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

/** The query parameter with the length of a page. */
export function sizeParameter(paging: Paging | undefined): string | undefined {
  if (paging === undefined) return undefined;
  return paging.kind === 'page' ? paging.size : paging.limit;
}

interface Bounds {
  /** The longest page; `undefined` if the contract does not say. */
  most: number | undefined;
  allows: (limit: number) => boolean;
}

/** `undefined` without a limit. */
export function readBounds({ roles: { list } }: Subject, { validate }: Contract): Bounds | undefined {
  const name = sizeParameter(list?.list?.paging);
  const parameter = list?.operation.parameters.find((each) => each.in === 'query' && each.name === name);
  if (parameter === undefined) return undefined;
  const { schema, schemaPointer } = parameter;
  const listed = Array.isArray(schema['enum']) ? schema['enum'].filter((value) => typeof value === 'number') : [];
  const { maximum } = schema;
  const most = listed.length > 0 ? Math.max(...listed) : maximum;
  return {
    most: typeof most === 'number' ? most : undefined,
    allows: (limit) => schemaPointer === undefined || validate.value(schemaPointer, limit).length === 0,
  };
}

function boundLimits({ subject, contract }: TableSource, wanted: readonly number[]): number[] {
  const bounds = readBounds(subject, contract);
  if (bounds === undefined) return [];
  return wanted.filter((limit) => bounds.allows(limit));
}

function listBadLimits({ subject }: TableSource): Row[] {
  const { list } = subject.roles;
  const name = sizeParameter(list?.list?.paging);
  const schema = list?.operation.parameters.find((each) => each.in === 'query' && each.name === name)?.schema ?? {};
  const { minimum, maximum } = schema;
  return [
    ...(typeof minimum === 'number' ? [minimum - 1] : []),
    ...(typeof maximum === 'number' ? [maximum + 1] : []),
  ].map((limit) => ({ id: String(limit), limit }));
}

function listPageSizes(source: TableSource): Row[] {
  const paging = source.subject.roles.list?.list?.paging;
  const isWalkable = paging !== undefined && (paging.kind !== 'offset' || paging.offset !== undefined);
  return isWalkable ? boundLimits(source, [2]).map((size) => ({ id: String(size), size })) : [];
}

function listFilters({ subject, made }: TableSource): Row[] {
  const filters = subject.roles.list?.list?.filters ?? [];
  return filters.flatMap((filter) => readFilter(filter, subject, made) ?? []);
}

/** A filter by a field that the run sets, so that one value matches its record and another does not. */
function readFilter({ parameter, property, relation }: Filter, subject: Subject, made: MadeRecords): Row | undefined {
  const [name, ...deeper] = property;
  if (relation !== 'equals' || name === undefined || deeper.length > 0) return undefined;
  const isShown = subject.fields.some((field) => field.name === name && field.isShown);
  const field = subject.fields.find((each) => each.name === name);
  // The contract does not say whether a part of a text, another case, or a range of dates matches.
  const isClosed = field?.type === 'boolean' || Array.isArray(field?.schema['enum']);
  if (!isShown || !made.changed.includes(name) || !isClosed) return undefined;
  const own = `$scenarios.${subject.name}/records/create-full.outputs.sent#/${name}`;
  const other = made.other[name];
  return {
    id: parameter,
    fitting: { [parameter]: own },
    fittingValue: { [name]: own },
    other: { [parameter]: other },
    otherValue: { [name]: other },
  };
}

/** This many values of an enumeration are tried. */
const MOST_VALUES = 6;

function listFilterValues({ subject }: TableSource): Row[] {
  return (subject.roles.list?.list?.filters ?? []).flatMap(({ parameter, property, relation }) => {
    const [field = '', ...deeper] = property;
    const values = subject.fields.find(({ name, isShown }) => isShown && name === field)?.schema['enum'];
    if (relation !== 'equals' || deeper.length > 0 || !Array.isArray(values)) return [];
    const listed = (values as unknown[]).filter((value) => typeof value === 'string').slice(0, MOST_VALUES);
    return listed.map((value) => ({
      id: `${parameter}-${value}`,
      parameter,
      field,
      value,
      filter: { [parameter]: value },
      every: { [field]: value },
    }));
  });
}

const FORMS = ['missing', 'wrong'] as const;
const READING: readonly AskedRole[] = ['list', 'get', 'create'];
const CHANGING: readonly AskedRole[] = ['replace', 'update', 'remove'];

/** The petstore's own scenarios test its list, create and get. */
function listCredentials({ subject }: TableSource): Row[] {
  if (subject.isPetstore) return [];
  return listSecured(READING, subject).flatMap(({ role, operation }) =>
    FORMS.map((form) => ({ id: `${role}-${form}`, role, auth: form, form, operation })),
  );
}

function listCredentialsOfChanges({ subject }: TableSource): Row[] {
  return listSecured(CHANGING, subject).map(({ role, operation }) => ({ id: role, role, operation }));
}

function listSecured(asked: readonly AskedRole[], { roles }: Subject): { role: AskedRole; operation: string }[] {
  return asked.flatMap((role) => {
    const operation = roles[role]?.operation;
    const isSecured = operation?.secured === true && asksForCredentials(operation.security);
    return isSecured ? [{ role, operation: operation.id }] : [];
  });
}
