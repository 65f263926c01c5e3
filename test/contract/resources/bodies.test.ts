import { expect, test } from 'vitest';
import { inferred, listOf, NUMBER, object, PET, TEXT } from './support/build.js';
import { readFact } from '../../../src/contract/resources/bodies.js';
import { withArticle } from '../../../src/contract/resources/words.js';
import { words } from '../../support/words.js';

const YES = { type: 'boolean' };

const read = (one: Record<string, unknown>, many: Record<string, unknown>) =>
  inferred({ 'GET /pets': { answers: many }, 'GET /pets/{petId}': { answers: one } }).slice(1);

test.each([
  [object({ data: PET }), '200 record; in member data'],
  [object({ pet: PET, status: TEXT }), '200 record; in member pet'],
  [object({ data: object({ pet: PET }) }), '200 record; in member data.pet'],
  [object({ id: TEXT, jsonrpc: TEXT, result: PET, error: object({}) }), '200 record; in member result'],
  [{ allOf: [object({ success: YES }), object({ data: PET })] }, '200 record; in member data'],
  [object({ ...(PET['properties'] as object), owner: object({ id: NUMBER, name: TEXT }) }), '200 record'],
])('the record of %j', (answers, told) => {
  expect(read(answers, listOf(PET)).find((line) => line.includes('get'))).toMatch(new RegExp(`: ${told}$`));
});

test('an object in a record is not taken for the record', () => {
  const visit = object({ day: TEXT, length: NUMBER, owner: object({ id: NUMBER }) });
  expect(read(visit, listOf(visit))).toEqual([]);
});

const META = object({ total: NUMBER, page: NUMBER, per_page: NUMBER });
const TOTAL = object({ total: NUMBER });
const PAGES = object({ items: listOf(PET), total_pages: NUMBER });
const CURSORS = { next_cursor: TEXT, has_more: YES, offset: NUMBER };
const LINKS = object({ next: object({ href: TEXT }) });

test.each([
  [PAGES, 'items, pages total_pages'],
  [object({ items: listOf(PET), total: NUMBER }), 'items, total total'],
  [object({ pets: listOf(PET), count: NUMBER }), 'pets, total count'],
  [object({ data: listOf(PET), meta: META }), 'data, total meta.total, page meta.page, limit meta.per_page'],
  [object({ data: listOf(PET), count: NUMBER, meta: TOTAL }), 'data, total meta.total, count count'],
  [object({ _embedded: object({ pets: listOf(PET) }), _links: LINKS }), '_embedded.pets, nextLink _links.next.href'],
  [object({ results: listOf(PET), ...CURSORS }), 'results, nextCursor next_cursor, hasMore has_more, offset offset'],
  [object({ data: listOf(object({ id: NUMBER, name: TEXT })) }), 'data'],
  [listOf(object({ id: NUMBER, name: TEXT, status: TEXT, more: TEXT })), ''],
])('the records of %j', (answers, told) => {
  const line = read(PET, answers).find((each) => each.includes('list'));
  expect(line).toBe(`  list GET /pets: 200 list${told === '' ? '' : `; in member ${told}`}`);
});

test.each([
  [object({ first: listOf(PET), second: listOf(PET) })],
  [listOf(TEXT)],
  [listOf(object({ id: TEXT, name: TEXT, status: TEXT }))],
  [listOf(object({ id: NUMBER, colour: TEXT, weight: NUMBER, height: NUMBER }))],
])('%j does not surely list the records, which is noted', (answers) => {
  const update = { 'PUT /pets/{petId}': { takes: PET, answers: PET } };
  const lines = inferred({ 'GET /pets': { answers }, 'GET /pets/{petId}': { answers: PET }, ...update });
  expect(lines).toContain('  ! GET /pets is stateless: its response does not list records of pets.');
  expect(lines.join()).not.toContain('list GET');
});

/** What a name in a response says, by the type of its value. */
const FACTS = {
  integer: {
    'count or total': words`articlesCount numberOfElements`,
    total: words`itemsTotal totalResults total_count_of_articles`,
    count: words`count_on_page returnedCount articles_in_page_count`,
    pages: words`number_of_pages pageCount`,
    nothing: words`num_found_articles number page countPerPage unreadCount totalPrice commentsCount size`,
  },
  string: {
    firstKey: ['first_id'],
    lastKey: ['lastArticleId'],
    previousLink: words`previous_page_url prev`,
    nothing: words`last_name totalPrice`,
  },
  boolean: {
    hasMore: words`has_more hasMoreArticles isTruncated`,
    hasPrevious: ['has_previous_page'],
    isLast: ['last'],
    isFirst: ['isFirstPage'],
    isEmpty: ['empty'],
    nothing: ['success'],
  },
};

test.each(Object.entries(FACTS))('beside articles, a name with a value of type %s says what it is', (type, facts) => {
  const say = (name: string): string =>
    readFact(name, { records: new Set(['article']), key: 'id', types: [type] }) ?? 'nothing';
  expect(Object.entries(facts).map(([fact, names]) => [fact, names.filter((name) => say(name) === fact)])).toEqual(
    Object.entries(facts),
  );
});

test.each([
  ['an', ['order', 'update', 'upload', 'hour', 'API key']],
  ['a', ['pet', 'user', 'unit', 'utility', 'usage record', 'URL', 'UUID', 'European order']],
])('the article of a noun is that of its first sound: %s', (article, nouns) =>
  expect(nouns.map(withArticle)).toEqual(nouns.map((noun) => `${article} ${noun}`)),
);
