import { expect, test, describe } from 'vitest';
import { inferred, listOf, NUMBER, object, PET, TEXT, type Described, build, withPets } from './support/build.js';
import { readFact } from '../../../src/contract/resources/bodies.js';
import { withArticle } from '../../../src/contract/resources/words.js';
import { words } from '../../support/words.js';
import { YES } from '../../support/schemas.js';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { yaml } from '../../support/yaml.js';

const read = (one: Record<string, unknown>, many: Record<string, unknown>) =>
  inferred({ 'GET /pets': { answers: many }, 'GET /pets/{petId}': { answers: one } }).slice(1);

test.each([
  [object({ data: PET }), '200 record; in member data'],
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

const NEW_PET = object({ name: TEXT, status: TEXT });
const BY_STATUS = { query: { status: TEXT }, answers: listOf(PET) };
const THINGS = object({ user: TEXT, password: TEXT });
const BOTH = object({ pet: NEW_PET, owner: object({ id: NUMBER }) }, ['pet', 'owner']);
const PATCHES = listOf(object({ op: TEXT, path: TEXT }));
const FIXED = object({ id: { ...NUMBER, readOnly: true }, name: TEXT });
const MANY = { takes: listOf(NEW_PET), answers: listOf(PET), status: 201 };
const EITHER = { takes: { oneOf: [listOf(NEW_PET), NEW_PET] }, answers: listOf(PET), status: 201 };
const IN_MEMBER = { takes: object({ pet: NEW_PET }), answers: object({ pet: PET }) };

test.each<[place: string, described: Described, line: string]>([
  ['POST /pets', { takes: NEW_PET, answers: PET, status: 201 }, 'create POST /pets: 201 record'],
  ['POST /pets', { takes: NEW_PET, answers: object({ id: NUMBER }) }, 'create POST /pets: 200 other'],
  ['POST /pets', IN_MEMBER, 'create POST /pets: 200 record; in member pet; takes it in pet'],
  ['POST /pets', MANY, 'create POST /pets: 201 list; takes several'],
  ['POST /pets', { answers: PET, status: 201 }, 'create POST /pets: 201 record'],
  ['POST /pets', { takes: object({ pet: NEW_PET, notify: TEXT }) }, 'create POST /pets: 204 none; takes it in pet'],
  // What must be sent beside a member is no part of an envelope.
  ['POST /pets', { takes: BOTH, answers: PET, status: 201 }, 'create POST /pets: 201 record'],
  ['POST /pets', EITHER, 'create POST /pets: 201 other'],
  ['PUT /pets/{petId}', { takes: NEW_PET, status: 201 }, 'replace PUT /pets/{petId}: 201 none; creates'],
  ['PUT /pets/{petId}', { takes: NEW_PET, answers: PET }, 'replace PUT /pets/{petId}: 200 record'],
  ['PATCH /pets/{petId}', { takes: NEW_PET, answers: PET }, 'update PATCH /pets/{petId}: 200 record'],
  ['PATCH /pets/{petId}', { takes: PATCHES, answers: PET }, 'update PATCH /pets/{petId}: 200 record; a JSON Patch'],
  ['POST /pets/{petId}', { takes: object({ Name: TEXT }), answers: PET }, 'update POST /pets/{petId}: 200 record'],
  ['POST /pets/{petId}', { query: { name: TEXT } }, 'update POST /pets/{petId}: 204 none; query name gives name'],
  ['DELETE /pets/{petId}', {}, 'remove DELETE /pets/{petId}: 204 none'],
  ['PUT /pets', { takes: PET, answers: PET }, 'replace PUT /pets: 200 record; key in the body'],
  ['POST /pets/batch', { takes: listOf(NEW_PET) }, 'create POST /pets/batch: 204 none; takes several'],
  ['GET /pets/findByStatus', BY_STATUS, 'list GET /pets/findByStatus: 200 list; status equals status'],
])('%s with %j', (place, described, line) => expect(withPets({ [place]: described })).toContain(`  ${line}`));

const UNLIKE = 'its request body is not like a record of pets';
const NO_KEY = 'it is unclear which record it changes: its body has no key';
const WHICH = 'it is unclear which records of /pets it lists';

test.each<[place: string, described: Described, why: string]>([
  ['POST /pets', { takes: object({ query: TEXT }), answers: listOf(PET) }, 'it returns a list, as a search does'],
  ['POST /pets', { takes: THINGS, answers: object({ token: TEXT }) }, UNLIKE],
  ['PUT /pets/{petId}', { takes: object({ colour: TEXT, weight: NUMBER }) }, UNLIKE],
  ['PUT /pets', { takes: NEW_PET }, NO_KEY],
  ['PATCH /pets', { takes: FIXED }, NO_KEY],
  ['DELETE /pets', {}, 'it is unclear whether it removes all records or only some'],
  ['GET /pets/mine', { answers: listOf(PET) }, WHICH],
  ['GET /pets/findByColour', { query: { colour: TEXT }, answers: listOf(PET) }, WHICH],
])('%s with %j is not sure, which is noted', (place, described, why) => {
  const lines = withPets({ [place]: described });
  expect(lines).toContain(`  ! ${place} is stateless: ${why}.`);
  expect(lines.filter((line) => line.includes(place))).toHaveLength(1);
});

test('a POST on a record beside a PUT that takes something else is none of its updates, such as a restore', () => {
  const put = { 'PUT /pets/{petId}': { takes: NEW_PET, answers: PET } };
  const restore = { takes: object({ name: TEXT }), answers: PET, status: 201 };
  const lines = withPets({ ...put, 'POST /pets/{petId}': restore });
  expect(lines.filter((line) => line.includes('POST'))).toEqual([
    '  ! POST /pets/{petId} is stateless: it does not do the same as PUT /pets/{petId}, and its effect is unclear.',
  ]);
});

test('what is another record, or none, is left alone', () => {
  const others = {
    'GET /pets/statistics': { answers: object({ sold: NUMBER }) },
    'POST /pets/{petId}/photo': { takes: { type: 'string', format: 'binary' } },
    'GET /pets/{petId}/photo': { answers: { type: 'string' } },
  };
  expect(withPets(others)).toEqual(withPets({}));
});

describe('queries', () => {
  const properties = { id: NUMBER, status: TEXT, weight: NUMBER, active: YES };
  const AT = { created_at: { ...TEXT, format: 'date-time' } };
  const within = { labels: listOf(object({ id: NUMBER, name: TEXT })), owner: object({ id: NUMBER, city: TEXT }) };
  const RECORD = object({ ...properties, ...AT, tags: listOf(TEXT), ...within });
  const rulesOf = (query: Record<string, Record<string, unknown>>) =>
    inferResources(build({ 'GET /a': { query, answers: listOf(RECORD) }, 'GET /a/{id}': { answers: RECORD } }))
      .resources[0]?.operations[0]?.list;

  test.each([
    ['equals status', TEXT, words`status filter[status]`],
    ['equals status', listOf(TEXT), ['statuses']],
    ['contains tags', TEXT, ['tag']],
    ['contains tags', listOf(TEXT), ['tags']],
    ['contains labels.name', TEXT, ['labels']],
    ['contains labels.id', NUMBER, ['labels']],
    ['equals owner.id', NUMBER, words`owner ownerId`],
    ['equals owner.city', TEXT, ['owner.city']],
    ['from weight', NUMBER, words`filter[weight][gte] min_weight`],
    ['to weight', NUMBER, words`weightMax weight_lte`],
    ['before weight', NUMBER, ['weight__lt']],
    ['after weight', NUMBER, ['weight[gt]']],
    ['not status', TEXT, ['status[ne]']],
    ['like status', TEXT, ['status__icontains']],
    ['after created_at', TEXT, ['created_after']],
    ['before created_at', TEXT, ['createdBefore']],
  ])('a filter %s with a value of %j may be called %j', (told, schema, names) => {
    const filtersOf = (name: string): string[] | undefined =>
      rulesOf({ [name]: schema })?.filters.map((each) => `${each.relation} ${each.property.join('.')}`);
    expect(names.map(filtersOf)).toEqual(names.map(() => [told]));
  });

  test.each([
    ['Whether to include the `active` and `weight` fields in the objects.', []],
    ['Include active ones', []],
    ['If true, only active ones are listed', ['active']],
    ['Only those whose `active` field is this. Includes drafts.', ['active']],
  ])('a parameter that adds something selects nothing: %s', (description, filtered) => {
    const rules = rulesOf({ active: { ...YES, description } });
    expect(rules?.filters.map(({ parameter }) => parameter)).toEqual(filtered);
  });

  test('an object in the style deepObject is one filter for each of its fields', () => {
    const list = { query: { weight: object({ gte: NUMBER, odd: NUMBER }) }, answers: listOf(RECORD) };
    const contract = build({ 'GET /a': list, 'GET /a/{id}': { answers: RECORD } });
    const [operation] = contract.operations;
    for (const parameter of operation?.parameters ?? []) parameter.style = 'deepObject';
    const rules = inferResources(contract).resources[0]?.operations[0]?.list;
    const filter = { parameter: 'weight[gte]', property: ['weight'], relation: 'from' };
    expect(rules).toEqual({ filters: [filter], unused: ['weight[odd]'] });
  });

  test.each([
    [TEXT, words`colour q statuses startTags`],
    [YES, words`created_at weight owner`],
    [NUMBER, words`min_tags maximum`],
  ])('a value of %j names no property as %j, so nothing is made of it', (schema, names) => {
    for (const name of names) expect(rulesOf({ [name]: schema })).toEqual({ filters: [], unused: [name] });
  });

  test.each([
    [['limit', 'offset'], { kind: 'offset', limit: 'limit', offset: 'offset' }],
    [['$top', '$skip'], { kind: 'offset', limit: '$top', offset: '$skip' }],
    [['page', 'per_page'], { kind: 'page', size: 'per_page', page: 'page', first: 1 }],
    [['limit', 'cursor:text'], { kind: 'cursor', limit: 'limit', cursor: 'cursor' }],
    [['limit'], { kind: 'offset', limit: 'limit' }],
    [['page:text'], undefined],
  ])('%j page in one way', (names, paging) => {
    const query = names.map((each) => [each.replace(':text', ''), each.endsWith(':text') ? TEXT : NUMBER] as const);
    expect(rulesOf(Object.fromEntries(query))?.paging).toEqual(paging);
  });

  test('the first page is 0 where the contract says so', () => {
    expect(rulesOf({ page: { type: 'integer', default: 0 } })?.paging).toMatchObject({ first: 0 });
    expect(rulesOf({ page: { type: 'integer', minimum: 0, default: 1 } })?.paging).toMatchObject({ first: 1 });
  });

  test.each([
    [{ sort: TEXT }, { parameter: 'sort' }],
    yaml<never>`[{ sort_by: { type: string }, order: { type: string } }, { parameter: sort_by, direction: order }]`,
    [{ order: { enum: ['asc', 'desc'] } }, { direction: 'order' }],
    [{ order: TEXT }, { parameter: 'order' }],
    yaml<never>`[{ sort: { enum: [asc, desc] }, order: { type: string } }, { parameter: order, direction: sort }]`,
  ])('%j sorts', (query, sort) => expect(rulesOf(query)?.sort).toEqual(sort));
});
