import { readProperties } from '../../../../contract/operations/properties.js';
import type { Contract } from '../../../../contract/contract.js';
import { followPointer } from '../../../model/follow-pointer.js';
import { asList, isPet, PET_FIELDS, type ReceivedPet } from '../../../judge/pets.js';
import { recordAt, type Subject } from '../../../subjects/subject.js';
import type { ListRules } from '../../../../contract/resources/resource.js';
import { readSortTerm } from '../../../../contract/resources/sort-term.js';
import { plainName } from '../../../../contract/resources/words.js';
import { isDone, type SeenExchange } from './seen-exchange.js';

/** The records whose answers an observer looks at. */
export interface Watched {
  /** What they are called: `pets`. */
  noun: 'pets' | 'records';
  key: string;
  /** The fields by which a service may sort. */
  sortKeys: readonly string[];
  /** The fields that the contract has. */
  fields: ReadonlySet<string>;
  /** The record that an answer to a create shows; `undefined` where it is none. */
  readCreated(exchange: SeenExchange): ReceivedPet | undefined;
  /** The records of a page of a list that was asked for as the contract has it; `undefined` where it is none. */
  readList(exchange: SeenExchange): ReceivedPet[] | undefined;
  /** The order that a list was asked for; `undefined` without one. */
  readSort(exchange: SeenExchange): AskedOrder | undefined;
}

export interface AskedOrder {
  /** The property; `undefined` if the request names none, or several. */
  field: string | undefined;
  /** Whether the request says in which direction. */
  isDirected: boolean;
}

/** The petstore's own. */
export const PETS: Watched = {
  noun: 'pets',
  key: 'id',
  sortKeys: ['name', 'categoryId', 'status'],
  fields: new Set(PET_FIELDS),
  readCreated: ({ sent, status, body }) =>
    sent.operation?.id === 'createPet' && isDone({ status }) && isPet(body) ? body : undefined,
  readList: ({ sent, status, body }) =>
    sent.operation?.id === 'listPets' && sent.authorized && isDone({ status }) ? asList(body) : undefined,
  readSort: () => undefined,
};

/** Those of any other resource. */
export function watchSubject({ resource, roles, fields }: Subject, contract: Contract): Watched {
  const { create, list } = roles;
  const names = readProperties(contract.document, resource.schemaPointer).map(({ name }) => name);
  const [atOne, atAll] = [create, list].map((each) => (each === undefined ? undefined : recordAt(each)));
  return {
    noun: 'records',
    key: resource.key.property,
    sortKeys: fields.filter(({ isShown, type }) => isShown && isSortable(type)).map(({ name }) => name),
    fields: new Set(names),
    readCreated({ sent, status, body }) {
      if (sent.operation?.id !== create?.operation.id || atOne === undefined || !isDone({ status })) return undefined;
      const record = followPointer(body, atOne);
      return isPet(record) ? record : undefined;
    },
    readList({ sent, status, body }) {
      if (sent.operation?.id !== list?.operation.id || atAll === undefined || !isDone({ status })) return undefined;
      return sent.authorized ? asList(followPointer(body, atAll)) : undefined;
    },
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
