import { actOn } from '../../../contract/gaps/gaps.js';
import { listProperties } from '../../../contract/operations/properties.js';
import { type ListRules, textOf, readSortTerm } from '../../../contract/resources/resource.js';
import type { Call } from '../../world/world.js';
import { mostInPage } from './list-envelope.js';
import type { Page, SortTerm } from './page.js';
import { readQuery } from './read-query.js';
import { asFields, type Served } from '../served.js';

/** The size of a page if the request states only its number. */
const USUAL_SIZE = 20;
const UNSORTED: readonly never[] = Object.freeze([]);
const NO_RULES: Pick<ListRules, 'paging' | 'sort'> = {};

export function readPage(call: Call, served: Served): Page {
  const { paging, sort: rule } = served.role.list ?? NO_RULES;
  const { query } = call;
  const sort = rule === undefined ? UNSORTED : readSort(call, served);
  // Written out, since spreads would take longer than everything else here.
  switch (paging?.kind) {
    case undefined:
      return { offset: 0, limit: undefined, after: undefined, sort };
    case 'offset':
      return {
        offset: Math.max(0, (readNumber(query, paging.offset) ?? 0) - (paging.first ?? 0)),
        limit: readLimit(query, paging.limit, served),
        after: undefined,
        sort,
      };
    case 'page': {
      const limit = readLimit(query, paging.size, served) ?? USUAL_SIZE;
      const number = (readNumber(query, paging.page) ?? paging.first) - paging.first;
      return { offset: Math.max(0, number) * limit, limit, after: undefined, sort };
    }
    case 'cursor': {
      const cursor = readQuery(query, paging.cursor);
      const after = cursor === undefined || cursor === '' || cursor === null ? undefined : textOf(cursor);
      return { offset: 0, limit: readLimit(query, paging.limit, served), after, sort };
    }
  }
}

function readLimit(query: Call['query'], name: string | undefined, served: Served): number | undefined {
  const asked = readNumber(query, name);
  return asked === undefined ? undefined : Math.min(asked, mostInPage(served));
}

function readNumber(query: Call['query'], name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : readQuery(query, name);
  if (typeof value === 'number') return value;
  const number = value === undefined || value === null || value === '' ? Number.NaN : Number(value);
  return Number.isNaN(number) ? undefined : number;
}

/** The direction of a property without one, for each choice of the gap `sort-direction`; `undefined` for no order at all. */
const SIGNS: Readonly<Record<string, 1 | -1 | undefined>> = { ascending: 1, descending: -1, ignored: undefined };

/** One property, or several of them separated by commas, each in a form of `readSortTerm`. */
function readSort(call: Call, served: Served): SortTerm[] {
  const { parameter, direction } = served.role.list?.sort ?? {};
  const given = parameter === undefined ? undefined : readQuery(call.query, parameter);
  const word = direction === undefined ? '' : textOf(readQuery(call.query, direction));
  const usual = actOn(call.profile, 'sort-direction', SIGNS);
  if (usual === undefined) return [];
  const beside = /^(?:desc|-)/i.test(word) ? -1 : /^(?:asc|\+)/i.test(word) ? 1 : usual;
  const names = listProperties(served.contract.document, served.kept.schemaPointer);
  const texts = [given].flat().flatMap((each) => (typeof each === 'string' ? splitTerms(each) : listObject(each)));
  return texts.flatMap((text): SortTerm[] => {
    const { name, sign = beside } = readSortTerm(text);
    const property = findProperty(name, names);
    return property === undefined ? [] : [{ property, sign }];
  });
}

/** `name,desc` is one term, `name,age` are two. */
function splitTerms(text: string): string[] {
  return text.split(/,(?!\s*(?:asc|desc)\b)/i);
}

function listObject(value: unknown): string[] {
  return Object.entries(asFields(value) ?? {}).map(([name, word]) => `${name} ${String(word)}`);
}

function findProperty(text: string, names: ReadonlySet<string>): string[] | undefined {
  const [head = '', ...rest] = text.split('.');
  const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const found = names.has(head) ? head : [...names].find((name) => plain(name) === plain(head));
  return found === undefined ? undefined : [found, ...rest];
}
