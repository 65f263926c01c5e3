import { findUnwritable } from '../../../contract/forms.js';
import { formOf, recordTypeOf, type AskedRole, type RoleOperation } from '../../../contract/resources/resource.js';
import { isRepeatKey } from '../../../contract/operations/operations.js';
import type { Row } from '../../model/raw-scenario.js';
import type { RecordTemplate } from '../records/made-records.js';
import { listInvalid } from '../records/invalid-records.js';
import { listSecured } from './credentials.js';
import { readCases, type CaseRow } from './data.js';
import type { TableSource } from './table-source.js';

/** The media types beside its usual one in which a create takes a record: forms, and JSON by another name. */
export function listMediaTypes({ subject, made, contract }: TableSource): Row[] {
  const { create } = subject.roles;
  const types = create?.operation.requestBody?.content.map(({ mediaType }) => mediaType) ?? [];
  if (create === undefined || create.requestMember !== undefined) return [];
  const { operation } = create;
  const [record, plain] = [made.minimal, pick(made.plain, Object.keys(made.minimal))];
  const isSent = (type: string): boolean => {
    const form = formOf(operation, type);
    if (form === undefined) return /^application\/[\w.-]+\+json$/.test(type);
    // An empty form is no body.
    const isEmpty = Object.keys(record).length === 0;
    return (
      !isEmpty &&
      findUnwritable(plain, form) === undefined &&
      contract.validate.requestBody(operation, type, plain).length === 0
    );
  };
  return types
    .filter((type) => type !== recordTypeOf(operation) && isSent(type))
    .map((mediaType) => ({
      id: mediaType,
      body: { json: record, mediaType },
      like: replaceUnique(record),
      likeNow: record,
    }));
}

function pick(record: RecordTemplate, names: readonly string[]): RecordTemplate {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}

/** What the create made unique, where a later step refers to it; what is drawn from a pattern, none can. */
function replaceUnique(record: RecordTemplate): RecordTemplate {
  const known = Object.entries(record).filter(([, value]) => !String(value).startsWith('$uniqueLike'));
  const entries = known.map(([name, value]) => [
    name,
    typeof value === 'string'
      ? value.replace(
          /(?<=^|\{)\$unique(Integer|Word)?(?=\}|$)/g,
          (_, kind: keyof typeof OUTPUTS = '') => `$steps.create.outputs.${OUTPUTS[kind]}`,
        )
      : value,
  ]);
  return Object.fromEntries(entries) as RecordTemplate;
}

const OUTPUTS = { '': 'unique', Integer: 'number', Word: 'word' };

/** The header field by which a service recognises a request that is sent again. */
export function listRepeatKeys({ subject: { roles, putsNew } }: TableSource): Row[] {
  const { create } = roles;
  // A PUT is the same however often it is sent.
  if (putsNew !== undefined || create?.success.body !== 'record') return [];
  const parameters = create.operation.parameters.filter(
    ({ in: place, name }) => place === 'header' && isRepeatKey(name),
  );
  return parameters.map(({ name }) => ({
    id: name,
    first: { [name]: '00000000-0000-4000-8000-0000{$uniqueInteger}' },
    between: { [name]: '00000000-0000-4000-8000-0000{$uniqueInteger}' },
    again: { [name]: '00000000-0000-4000-8000-0000{$steps.first.outputs.number}' },
  }));
}

/** A charset has no effect for JSON (RFC 8259 section 11), though many clients send one. */
export function listMediaTypeForms({ subject: { roles } }: TableSource): Row[] {
  if (roles.create === undefined || recordTypeOf(roles.create.operation) !== 'application/json') return [];
  return [
    { id: 'charset', mediaType: 'application/json; charset=utf-8' },
    // RFC 9110 section 8.3.1: types are case-insensitive.
    { id: 'in-another-case', mediaType: 'Application/JSON' },
  ];
}

type Reading = 'list' | 'get';

/**
 * Header fields that change nothing about a response in JSON, each of a list or of one record in turns: what one operation does by
 * itself shows as well as what all do. Those that the contract gives a meaning of its own are left out.
 */
export function listClients(role: Reading, source: TableSource): Row[] {
  return listUnnamed(role, source)
    .filter((_, index) => turnOf(index, source) === role)
    .map((row) => Object.assign({ status: row.mayForbid === true ? '$doneOrForbidden' : '$done' }, row));
}

function turnOf(index: number, { subject: { roles } }: TableSource): Reading | undefined {
  const served = (['list', 'get'] as const).filter((role) => isOfJson(roles[role]));
  return served[index % served.length];
}

function isOfJson(role: RoleOperation | undefined): boolean {
  const answers = role?.operation.responses.filter(({ status }) => status.startsWith('2')) ?? [];
  const types = answers.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  return types.length > 0 && types.every((type) => type === 'application/json');
}

function listUnnamed(role: AskedRole, { subject: { roles } }: TableSource): readonly CaseRow<'clients'>[] {
  const named = new Set(roles[role]?.operation.parameters.map(({ name }) => name.toLowerCase()));
  return readCases('clients').filter(({ headers }) =>
    Object.keys(headers).every((name) => !named.has(name.toLowerCase())),
  );
}

/** What may be taken for credentials, or is answered by what writes errors, without credentials. */
export function listClientsWithoutKey(source: TableSource): Row[] {
  const secured = listSecured(['list', 'get'], source.subject);
  return secured.slice(0, 1).flatMap(({ role, operation }) =>
    listUnnamed(role, source)
      .filter(({ isNegotiated, opens }) => isNegotiated === true || opens === true)
      .map((row) => Object.assign({ role, operation }, row)),
  );
}

/** Requests that are rejected, with what clients ask of the response: for a record that is not there, and for one that is invalid. */
export function listClientErrors(role: 'get' | 'create', source: TableSource): Row[] {
  const [invalid] = role === 'create' ? listInvalid(source) : [];
  if (!isOfJson(source.subject.roles[role])) return [];
  return listUnnamed(role, source)
    .filter(({ isNegotiated }) => isNegotiated === true)
    .map((row) => Object.assign({ record: invalid?.record }, row));
}
