import { describe, expect, test } from 'vitest';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { build, listOf, NUMBER, object, TEXT } from './support/build.js';
import { yaml } from '../../support/yaml.js';
import { words } from '../../support/words.js';
import { YES } from '../../support/schemas.js';

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
    ['from created_at', TEXT, ['created_since']],
  ])('a filter %s with a value of %j may be called %j', (told, schema, names) => {
    const filtersOf = (name: string): string[] | undefined =>
      rulesOf({ [name]: schema })?.filters.map((each) => `${each.relation} ${each.property.join('.')}`);
    expect(names.map(filtersOf)).toEqual(names.map(() => [told]));
  });

  test.each([
    ['Whether to include the `active` and `weight` fields in the objects.', []],
    ['if set to true, active ones will be returned as well', []],
    ['Include active ones', []],
    ['If true, only active ones are listed', ['active']],
    ['Only those whose `active` field is this. Includes drafts.', ['active']],
    ['Whether to include only records with this property', ['active']],
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
    [['page[number]', 'page[size]'], { kind: 'page', size: 'page[size]', page: 'page[number]', first: 1 }],
    [['limit', 'cursor:text'], { kind: 'cursor', limit: 'limit', cursor: 'cursor' }],
    [['pageSize', 'pageToken:text'], { kind: 'cursor', limit: 'pageSize', cursor: 'pageToken' }],
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
