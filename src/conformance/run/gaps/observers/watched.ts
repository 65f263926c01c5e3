import { readProperties } from '../../../../contract/operations/properties.js';
import type { Contract } from '../../../../contract/contract.js';
import { followPointer } from '../../../model/follow-pointer.js';
import { isRecord, listRecords, type JsonObject } from '../../../judge/shown.js';
import { recordAt, type Subject } from '../../../subjects/subject.js';
import { type ListRules, type RoleOperation, readSortTerm } from '../../../../contract/resources/resource.js';
import { plainName } from '../../../../contract/resources/words.js';
import { isDone, type SeenExchange } from './seen-exchange.js';

/** The records whose answers an observer looks at. */
export interface Watched {
  key: string;
  /** The fields by which a service may sort. */
  sortKeys: readonly string[];
  /** The fields of a few values each. */
  choices: readonly string[];
  /** The fields that the contract has. */
  fields: ReadonlySet<string>;
  /** The record that an answer to a create shows; `undefined` where it is none. */
  readCreated(exchange: SeenExchange): JsonObject | undefined;
  /** The records of a page of a list that was asked for as the contract has it; `undefined` where it is none. */
  readList(exchange: SeenExchange): JsonObject[] | undefined;
  /** The records that an answer to a list or a get shows. */
  readShown(exchange: SeenExchange): JsonObject[];
  /** The order that a list was asked for; `undefined` without one. */
  readSort(exchange: SeenExchange): AskedOrder | undefined;
}

export interface AskedOrder {
  /** The property; `undefined` if the request names none, or several. */
  field: string | undefined;
  /** Whether the request says in which direction. */
  isDirected: boolean;
}

/** Those of a resource. */
export function watchSubject({ resource, roles, fields }: Subject, contract: Contract): Watched {
  const { list } = roles;
  const names = readProperties(contract.document, resource.schemaPointer).map(({ name }) => name);
  const readOne = (role: RoleOperation | undefined, { sent, status, body }: SeenExchange): JsonObject | undefined => {
    const at = role === undefined || sent.operation?.id !== role.operation.id ? undefined : recordAt(role);
    const record = at === undefined || !isDone({ status }) ? undefined : followPointer(body, at);
    return isRecord(record) ? record : undefined;
  };
  const readList = ({ sent, status, body }: SeenExchange): JsonObject[] | undefined => {
    const at = list === undefined || sent.operation?.id !== list.operation.id ? undefined : recordAt(list);
    if (at === undefined || !isDone({ status }) || !sent.authorized) return undefined;
    return listRecords(followPointer(body, at));
  };
  return {
    key: resource.key.property,
    sortKeys: fields.filter(({ isShown, type }) => isShown && isSortable(type)).map(({ name }) => name),
    choices: fields.filter(({ isShown, schema }) => isShown && Array.isArray(schema['enum'])).map(({ name }) => name),
    fields: new Set(names),
    readCreated: (exchange) => readOne(roles.create, exchange),
    readList,
    readShown: (exchange) => readList(exchange) ?? [readOne(roles.get, exchange) ?? []].flat(),
    readSort: ({ sent: { query } }) => readOrder(query, list?.list?.sort, names),
  };
}

function readOrder(
  query: Readonly<Record<string, unknown>>,
  { parameter = '', direction = '' }: NonNullable<ListRules['sort']> = {},
  names: readonly string[],
): AskedOrder | undefined {
  const [by, word] = [query[parameter], query[direction]];
  if (by === undefined && word === undefined) return undefined;
  const { name, sign } = readSortTerm(typeof by === 'string' ? by : '');
  const field = names.find((each) => plainName(each) === plainName(name));
  return { field, isDirected: sign !== undefined || word !== undefined };
}

function isSortable(type: string | undefined): boolean {
  return type === 'string' || type === 'integer' || type === 'number';
}
