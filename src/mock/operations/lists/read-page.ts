import { listProperties } from '../../../contract/operations/properties.js';
import type { ListRules } from '../../../contract/resources/resource.js';
import type { Call } from '../../world/world.js';
import { mostInPage } from './list-envelope.js';
import type { Page, SortTerm } from './page.js';
import { readQuery, textOf } from './read-query.js';
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

const TERM = /^([+-]?)(.+?)(?:[\s:,.|_](asc|desc|ascending|descending))?$/i;

/** `name`, `-name`, `name:desc`, `name desc`, `name_desc`, or several of them separated by commas. */
function readSort(call: Call, served: Served): SortTerm[] {
  const { parameter, direction } = served.role.list?.sort ?? {};
  const given = parameter === undefined ? undefined : readQuery(call.query, parameter);
  const isDown = direction !== undefined && /^(?:desc|-)/i.test(textOf(readQuery(call.query, direction)));
  const names = listProperties(served.contract.document, served.kept.schemaPointer);
  const texts = [given].flat().flatMap((each) => (typeof each === 'string' ? splitTerms(each) : listObject(each)));
  return texts.flatMap((text): SortTerm[] => {
    const [, sign = '', name = '', word = ''] = TERM.exec(text.trim()) ?? [];
    const property = findProperty(name, names);
    if (property === undefined) return [];
    const isDescending = sign === '-' || /^desc/i.test(word) || (sign === '' && word === '' && isDown);
    return [{ property, sign: isDescending ? -1 : 1 }];
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
