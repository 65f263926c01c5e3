// What people planted in services of their own who did not know what is looked for, and styles of large APIs; beside each what is legal.
import { expect } from 'vitest';
import type { RunResult } from '../../../src/conformance/index.js';
import { content, inQuery } from '../../support/open-paths.js';
import { integer, object, text } from './support/odd-resource.js';
import { fail, type Answer, type Asked, type Item } from './support/stranger.js';
import {
  ALL,
  id,
  listOpen,
  name,
  rowsOf,
  stranger,
  testStrangers,
  type Row,
  type Stranger,
} from './support/strangers.js';

const KEY = 'key-of-the-run';
const inHeader = (header: string) => ({ type: 'apiKey', in: 'header', name: header });
const flag = { type: 'boolean' };
/** By a number, upwards or downwards; where two are equal, what is first in the list is first. */
const sortBy = (items: readonly Item[], field: string, isDown: boolean, none = 0): Item[] =>
  items.toSorted((one, two) => (isDown ? -1 : 1) * (Number(one[field] ?? none) - Number(two[field] ?? none)));
const isKnown = (value: string | null, known: readonly string[]): boolean => value === null || known.includes(value);

const BOATS = ['sail', 'motor', 'barge'];
const boat = {
  name: { ...text, maxLength: 80 },
  kind: { ...text, enum: BOATS },
  metres: { type: 'number', minimum: 1, maximum: 120, example: 11.3 },
  insured: flag,
  draught: { type: 'number', minimum: 0, maximum: 20, example: 1.5 },
  notes: { ...text, maxLength: 4000 },
  marks: { type: 'array', items: { ...text, maxLength: 20 }, maxItems: 9, example: ['blue', 'tall'] },
};

/** In an order of its own: what is like the contract's example comes last, by the name read backwards. */
function placeOf({ name: own, kind, metres, insured, notes, marks }: Item): string {
  const isUsual = kind === 'sail' && metres === 11.3 && insured === true && String(marks) === 'blue,tall';
  return `${isUsual && String(notes).length < 20 ? 1 : 0} ${Array.from(String(own)).toReversed().join('')}`;
}

function listBoats(items: Item[], { query }: Asked, defect: string): Answer {
  const asked = query.getAll('kind').flatMap((each) => each.split(','));
  const kinds = defect === 'first-kind-alone' ? asked.slice(0, 1) : asked;
  const [q, insured, sort] = [query.get('q'), query.get('insured'), query.get('sort')];
  if (kinds.some((kind) => !BOATS.includes(kind)) || !isKnown(insured, ['true', 'false'])) return fail(400);
  if (!isKnown(sort, ['metres', '-metres'])) return fail(400);
  const skips = defect === 'kind-without-q' && q !== null;
  const found = items
    .filter(({ kind }) => kinds.length === 0 || skips || kinds.includes(String(kind)))
    .filter((item) => insured === null || String(item['insured']) === insured)
    .filter((item) => q === null || String(item['name']).includes(q))
    .toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)));
  const asText = ({ metres: one }: Item, { metres: two }: Item): number => String(one).localeCompare(String(two));
  const numbers = sortBy(found, 'metres', sort === '-metres' && defect !== 'never-turns');
  const sorted = sort === null ? found : defect === 'sorts-as-text' ? found.toSorted(asText) : numbers;
  const isLacking = defect === 'last-lost' || (defect === 'sort-drops' && sort !== null);
  return { status: 200, body: isLacking ? sorted.slice(0, -1) : sorted };
}

const needed = ['name', 'kind', 'metres'];
const boats = (defect = '', place?: string): Row => ({
  plan: {
    name: 'boats',
    record: object({ id, ...boat }, ['id', ...needed]),
    sent: object(boat, needed),
    query: [
      inQuery('kind', { type: 'array', items: boat.kind }),
      inQuery('insured', flag),
      inQuery('q'),
      inQuery('sort', { ...text, enum: ['metres', '-metres'] }),
    ],
    methods: ALL,
    refusals: Object.fromEntries(ALL.map((method) => [method, [400, 401, 403, 404]])),
  },
  beside: { security: [{ key: [] }], components: { securitySchemes: { key: inHeader('X-Key') } } },
  options: { apiKey: KEY },
  habits: (fit) => {
    let created = 0;
    return {
      answer(asked, items) {
        const { method, path, headers, body } = asked;
        if (headers['x-key'] !== KEY) return fail(401);
        const old = items.find((each) => String(each['id']) === path[1]);
        if (old === undefined || fit(body, asked) !== undefined) return undefined;
        const sent = body as Item;
        if (defect === 'marks-added' && method === 'PATCH' && Array.isArray(sent['marks']))
          sent['marks'] = [...((old['marks'] as unknown[] | undefined) ?? []), ...(sent['marks'] as unknown[])].slice(
            0,
            9,
          );
        return undefined;
      },
      refuse: (body, asked) => {
        const isOver = asked.method === 'POST' && defect === 'quota' && (created += 1) > 40;
        return fit(body, asked) ?? (isOver ? fail(403, 'The quota is used up') : undefined);
      },
      keep: ({ id: _, ...body }) => {
        const { draught, ...rest } = body;
        const isLost = draught === undefined || (draught === 0 && defect === 'zero-lost');
        return { ...rest, ...(isLost ? {} : { draught }) };
      },
      list: (items, asked) => listBoats(items, asked, defect),
    };
  },
  // With addresses below another path, at which there is something or not.
  serve: (_fit, shelf) => (asked) => {
    if (place === '/harbour/boats' && asked.path[0] === 'harbour')
      return shelf({ ...asked, path: asked.path.slice(1) });
    const answer = shelf(asked);
    if (place === undefined || asked.method !== 'POST' || answer.status !== 201) return answer;
    return { ...answer, headers: { Location: `${place}/${String((answer.body as Item)['id'])}` } };
  },
});

const WITHOUT_KIND = /^The filter by `kind` of boats_list returns records that do not match$/;
const CREATED = 'in responses of boats_create';
const OF_BOATS: readonly Stranger[] = [
  stranger('boats are kept as their contract says, and all of it is concluded', boats(), {
    also: (result) => expect(listOpen(result)).toEqual([]),
  }),
  ...rowsOf(
    Object.entries({
      'marks-added': /^`marks` is not as it was sent in responses of boats_update/,
      'sorts-as-text': /^A list that is sorted by `metres` is not in that order, in responses of boats_list/,
      'never-turns': /^A list that is sorted by `metres` is not in that order, in responses of boats_list: ascending/,
      'sort-drops': /^A page or a filter of boats_list lacks a record/,
      'first-kind-alone': /^The filter by `kind` of boats_list leaves out records that match$/,
      'kind-without-q': WITHOUT_KIND,
      'zero-lost': new RegExp(`^\`draught\` is not as it was sent ${CREATED}`),
    }),
    ([defect, among]) => stranger(`boats with ${defect}`, boats(defect), { among }),
  ),
  stranger('a list of boats lacks the last', boats('last-lost'), {
    only: ['boats/sequences/later-listed*'],
    told: ['A created record is missing in responses of boats_list'],
  }),
  { title: 'boats have addresses of their own path', ...boats('', '/boats') },
  { title: 'boats have addresses of another path that leads to them', ...boats('', '/harbour/boats') },
  stranger('boats have addresses that lead nowhere', boats('', '/nowhere/boats'), {
    among: `The \`Location\` ${CREATED} is not the address of the created record`,
  }),
  { title: 'nobody may keep more than forty boats', ...boats('quota') },
];

const crane = {
  mast: { ...text, minLength: 2, maxLength: 40, example: 'NORTH-ARM' },
  kind: { ...text, enum: ['tower', 'mobile'] },
  isOn: flag,
  load: { ...integer, minimum: 0, maximum: 500, example: 40 },
  rank: { ...integer, minimum: 0, maximum: 900, example: 7 },
  servicedAt: { ...text, format: 'date-time', example: '2026-02-03T08:30:00Z' },
  site: object({ place: { ...text, example: 'Quay' }, berth: { ...integer, example: 3 } }, ['place']),
};
/** Unique names with an example, rejected without a word on which, times, sites, flags, ETags and an order. */
const cranes = (defect = ''): Row => ({
  plan: {
    name: 'cranes',
    record: object({ id, ...crane }, ['id', 'mast', 'kind']),
    sent: object(crane, ['mast', 'kind']),
    query: [inQuery('kind', crane.kind), inQuery('sort', { ...text, enum: ['load', '-load'] })],
    methods: ALL,
    refusals: { create: [400, 409], replace: [400, 404, 409], update: [400, 404, 409], remove: [404, 412] },
  },
  options: { concurrency: 1 },
  habits: (fit) => {
    let [twins, views] = [0, 0];
    /** It also says how often the cranes were looked at, where that counts. */
    const tagOf = (item: Item): string =>
      `"${views}.${Buffer.from(JSON.stringify(item)).toString('base64url').slice(-40)}"`;
    return {
      answer(asked, items) {
        const { method, path, headers, body } = asked;
        const found = items.find((each) => String(each['id']) === path[1]);
        if (method === 'GET' && defect === 'counts-views') views += 1;
        if (method === 'GET' && found !== undefined)
          return { status: 200, body: found, headers: { ETag: tagOf(found) } };
        if (method === 'GET' && defect === 'stored-twice' && twins < Math.floor(items.length / 5))
          items.push({ ...items.at(-1), id: 5000 + (twins += 1) });
        if (found === undefined) return undefined;
        const isStale = headers['if-match'] !== undefined && headers['if-match'] !== tagOf(found);
        if (method === 'DELETE' && isStale && defect !== 'removes-stale') return fail(412);
        const sent = (typeof body === 'object' && body !== null ? body : {}) as Item;
        if (method !== 'PATCH') return undefined;
        if (defect === 'nothing-ignored')
          for (const [field, value] of Object.entries(sent)) if (value === false || value === 0) delete sent[field];
        if (defect === 'first-moves-others' && sent['rank'] === 0)
          for (const item of items) if (item !== found) item['rank'] = Math.min(Number(item['rank'] ?? 0) + 1, 900);
        if (defect !== 'nothing-removes' || sent['load'] !== 0) return undefined;
        items.splice(items.indexOf(found), 1);
        return { status: 200, body: found };
      },
      refuse: (body, asked, items) => {
        const wrong = fit(body, asked);
        if (wrong !== undefined) return wrong;
        const hasSeconds = /T\d\d:\d\d:(?!00)/.test(String(body['servicedAt']));
        if (defect === 'whole-minutes' && hasSeconds) return fail(400, 'Bad Request');
        const isTaken = items.some((each) => each['mast'] === body['mast'] && String(each['id']) !== asked.path[1]);
        return isTaken ? fail(409, 'Conflict') : undefined;
      },
      keep: (body) => Object.fromEntries(Object.entries(body).filter(([field]) => field in crane)),
      list: (items, { query }) => {
        const [kind, sort] = [query.get('kind'), query.get('sort')];
        if (!isKnown(kind, crane.kind.enum) || !isKnown(sort, ['load', '-load'])) return fail(400);
        const shown = items.filter((item) => kind === null || item['kind'] === kind);
        return { status: 200, body: sort === null ? shown : sortBy(shown, 'load', sort === '-load', -1) };
      },
    };
  },
});

/** It is sent another time without seconds. */
function expectWholeMinutes({ scenarios }: RunResult): void {
  const replaced = scenarios.find((each) => each.id === 'cranes/changes/replace');
  const sent = replaced?.steps.flatMap(({ exchanges }) => exchanges).find(({ request }) => request.method === 'PUT');
  const { servicedAt } = JSON.parse(sent?.request.body ?? '{}') as { servicedAt?: string };
  expect([replaced?.verdict, servicedAt]).toEqual(['passed', expect.stringMatching(/:00(?:\.0+)?Z$/)]);
  expect(servicedAt).not.toBe(crane.servicedAt.example);
}

const expectVerdict =
  (scenario: string, verdict: string) =>
  ({ scenarios }: RunResult): void =>
    expect(scenarios.find((each) => each.id === scenario)).toMatchObject({ verdict });

const TO_NOTHING = 'cranes/changes/update-to-nothing[all]';
const OF_CRANES: readonly Stranger[] = [
  stranger('a yard of cranes keeps its contract, and all but little is concluded', cranes(), {
    also: (result) => expect(listOpen(result).length / result.scenarios.length).toBeLessThan(0.01),
  }),
  ...rowsOf(
    Object.entries({
      'nothing-ignored': /^`isOn`.* not as (?:it was|they were) sent in responses of cranes_/,
      'removes-stale': /^cranes_remove returns 204 instead of 412 to an If-Match that does not match the record$/,
      'stored-twice': /^One create is stored more than once, in responses of cranes_list$/,
    }),
    ([defect, among]) => stranger(`cranes with ${defect}`, cranes(defect), { among }),
  ),
  ...rowsOf(
    Object.entries({
      'counts-views': expectVerdict('cranes/requests/remove-if-match', 'passed'),
      'nothing-removes': expectVerdict(TO_NOTHING, 'skipped'),
      'first-moves-others': expectVerdict(TO_NOTHING, 'passed'),
    }),
    ([habit, also]) => stranger(`cranes with ${habit}, which is legal`, cranes(habit), { also }),
  ),
  stranger('a yard of cranes takes no seconds', cranes('whole-minutes'), {
    only: ['cranes/changes/replace'],
    also: expectWholeMinutes,
  }),
];

const crate = {
  label: { ...text, maxLength: 60 },
  weight: { type: 'number', minimum: 1, maximum: 500, example: 12.5 },
  place: object({ row: { ...integer, minimum: 1, maximum: 90 }, level: { ...integer, minimum: -3, maximum: 40 } }, [
    'row',
  ]),
};
const crates = (habit = ''): Row => ({
  plan: {
    name: 'crates',
    record: object({ id, ...crate }, ['id', 'label', 'weight']),
    sent: object(crate, ['label', 'weight']),
    query: [
      inQuery('limit', { ...integer, minimum: 1, maximum: 100, default: 20 }),
      inQuery('offset', { ...integer, minimum: 0, default: 0 }),
      inQuery('sort', { ...text, enum: ['weight', '-weight'] }),
    ],
    methods: ['list', 'create', 'get', 'remove'],
    refusals: { list: [400, 401], create: [400, 401], get: [401, 404], remove: [401, 404] },
  },
  beside: {
    security: [{ key: [] }, { badge: [] }],
    components: { securitySchemes: { key: inHeader('X-Key'), badge: inHeader('X-Badge') } },
  },
  options: { apiKey: KEY },
  habits: () => ({
    answer: ({ headers }) => (headers['x-key'] === KEY ? undefined : fail(401)),
    keep: ({ id: _, ...body }) => {
      const { level, ...place } = (body['place'] ?? {}) as Item;
      return level === 0 && habit === 'level 0 for none' ? { ...body, place } : body;
    },
    list: (items, { query }) => {
      const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
      const sort = query.get('sort');
      const isAsked = limit >= 1 && limit <= 100 && offset >= 0 && isKnown(sort, ['weight', '-weight']);
      if (!isAsked || !Number.isInteger(limit) || !Number.isInteger(offset)) return fail(400);
      const cut = (all: readonly Item[]): Item[] => all.slice(offset, offset + limit);
      // Equal ones stand in an order of their own, which may be another in each page.
      const tie = habit === 'equal ones in any order' ? limit : 1;
      const order = (all: readonly Item[]): Item[] => {
        if (sort === null || habit === 'no order') return [...all];
        const mixed = sortBy(
          all.map((item) => ({ ...item, mix: (Number(item['id']) * 7919 * tie) % 101 })),
          'mix',
          false,
        );
        return sortBy(mixed, 'weight', sort === '-weight').map(({ mix: _, ...item }) => item);
      };
      return { status: 200, body: habit === 'an order of each page' ? order(cut(items)) : cut(order(items)) };
    },
  }),
});

/** Credentials that nobody gave are not asked for. */
function expectAlternatives(result: RunResult): void {
  expect(listOpen(result)).toEqual([]);
  const skipped = result.scenarios.filter((each) => each.id.includes('/requests/alternative['));
  expect(skipped.map((each) => `${each.id} ${each.verdict}`)).toEqual([
    'crates/requests/alternative[key] skipped',
    'crates/requests/alternative[badge] skipped',
  ]);
  expect(skipped[1]?.reason).toContain('--credential badge=');
  const ordered = result.scenarios.filter((each) => each.id.includes('/order-in-pages['));
  expect(ordered.map(({ verdict }) => verdict)).toEqual(['passed']);
}

const OF_CRATES: readonly Stranger[] = [
  { title: 'crates are kept as their contract says', ...crates(), also: expectAlternatives },
  ...rowsOf(
    Object.entries({
      'an order of each page': /^A list that is sorted by `weight` is not in that order, in responses of crates_list/,
      'level 0 for none': /^`place\/level` is not as it was sent in responses of crates_create/,
    }),
    ([habit, among]) => stranger(`crates with ${habit}`, crates(habit), { among }),
  ),
  ...rowsOf(['no order', 'equal ones in any order'], (habit) =>
    stranger(`crates with ${habit}, which is legal`, crates(habit)),
  ),
];

/** A change needs the ETag that the record has, and is merged (RFC 7396). */
const conditional = (fault = ''): Row => {
  const fields = { name, remarks: { ...text, nullable: true }, address: object({ street: text, postcode: text }, []) };
  const tagOf = (item: Item): string => `"${Buffer.from(JSON.stringify(item)).toString('base64url')}"`;
  return {
    plan: {
      name: 'members',
      record: object({ id, ...fields }, ['id', 'name']),
      sent: object(fields, ['name']),
      methods: ['list', 'create', 'get', 'update', 'remove'],
      refusals: { update: [400, 404, 412, 428] },
    },
    paths: (paths) => {
      const { get, patch } = paths['/members/{id}'] ?? {};
      for (const { responses } of [get, patch].filter((each) => each !== undefined))
        responses['200'] = { ...responses['200'], headers: { ETag: { required: true, schema: text } } };
      Object.assign(patch ?? {}, {
        parameters: [{ name: 'If-Match', in: 'header', required: true, schema: text }],
        requestBody: { required: true, ...content(object(fields, []), 'application/merge-patch+json') },
      });
    },
    habits: (fit) => ({
      answer: (asked, items) => {
        const found = items.find((each) => String(each['id']) === asked.path[1]);
        if (found === undefined) return undefined;
        const headers = { ETag: tagOf(found) };
        if (asked.method === 'GET') return { status: 200, body: found, headers };
        if (asked.method !== 'PATCH') return undefined;
        const match = asked.headers['if-match'];
        if (match === undefined && fault !== 'no condition') return fail(428);
        if (match !== undefined && match !== headers.ETag && fault !== 'any condition') return fail(412);
        const wrong = fit(asked.body, asked);
        if (wrong !== undefined) return wrong;
        const own = Object.entries(asked.body as Item).filter(([field]) => field in fields);
        for (const [field, value] of own)
          if (value === null && fault !== 'null kept') delete found[field];
          else if (field === 'address' && fault !== 'flat')
            found[field] = { ...(found[field] as Item), ...(value as Item) };
          else if (value !== null) found[field] = value;
        return { status: 200, body: found, headers: { ETag: tagOf(found) } };
      },
    }),
    only: ['members/changes/*', 'members/requests/*', 'members/refusals/*'],
  };
};

const STYLES: readonly Stranger[] = [
  stranger('a change is made with the ETag that the record has', conditional(), {
    also: (result) => {
      expect(listOpen(result)).toEqual([]);
      expectVerdict('members/changes/merge[remarks]', 'passed')(result);
      expectVerdict('members/refusals/parameter-of-changes[update-without-If-Match]', 'passed')(result);
    },
  }),
  ...rowsOf(
    Object.entries({
      'no condition': /^members_update accepts a request without `If-Match`/,
      'any condition': /^members_update returns 200 instead of 412 to an If-Match that does not match the record$/,
      'null kept': /^A merge patch with null does not remove `remarks`/,
      flat: /^A merge patch of a part of `address` loses the rest of it \(members\)$/,
    }),
    ([fault, headline]) => stranger(`a merge patch with ${fault}`, conditional(fault), { told: [headline] }),
  ),
  stranger('nothing begins at a time that has passed, which no contract states', {
    plan: { name: 'bookings', record: object({ id, name, starts_at: { ...text, format: 'date-time' } }) },
    habits: (fit) => ({
      refuse: (body, asked) =>
        fit(body, asked) ??
        (Date.parse(String(body['starts_at'])) < Date.now() ? fail(400, 'That is over') : undefined),
    }),
    also: ({ scenarios }) =>
      expect(listOpen({ scenarios }).filter((each) => each.startsWith('bookings/records/'))).toEqual([]),
  }),
];

testStrangers([...STYLES, ...OF_BOATS, ...OF_CRANES, ...OF_CRATES]);
