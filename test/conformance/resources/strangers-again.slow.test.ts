// What services do with what they were sent before, with what only one record may have, and with what others write meanwhile.
import { expect } from 'vitest';
import type { RunResult } from '../../../src/conformance/index.js';
import { content } from '../../support/open-paths.js';
import { integer, object, text } from './support/odd-resource.js';
import type { Habits } from './support/shelf.js';
import { fail, type Item } from './support/stranger.js';
import { ALL, id, name, testStrangers, type Fit, type Row, stranger } from './support/strangers.js';

const alone = { options: { concurrency: 1 } };
const crate = object({ id, name: text }, ['id', 'name']);
const crates = { record: crate, sent: object({ name: text }, ['name']) };

/** Every create is kept, and put off the first time with a status. */
const puttingOff = (status: number): Row => ({
  plan: { name: 'crates', ...crates, methods: ['list', 'create', 'get'] },
  habits: (fit) => {
    const putOff = new Set<unknown>();
    return {
      answer: ({ method, body }, items) => {
        if (method !== 'POST' || fit(body, { method }) !== undefined) return undefined;
        const own = (body as Item)['name'];
        if (putOff.has(own)) return undefined;
        putOff.add(own);
        items.push({ id: 5000 + putOff.size, name: own });
        return { ...fail(status), headers: { 'Retry-After': '0' } };
      },
    };
  },
  only: ['crates/records/*', 'crates/sequences/*'],
  ...alone,
});

/** A create is answered with the record of this name that is there. */
const knowingAgain = (status: number): Row => ({
  plan: { name: 'buoys', ...crates },
  paths: (paths) => void Object.assign(paths['/buoys']?.['post']?.responses ?? {}, { 200: content(crate) }),
  habits: (fit) => ({
    answer: ({ method, body }, items) => {
      if (method !== 'POST' || fit(body, { method }) !== undefined) return undefined;
      const there = items.find((each) => each['name'] === (body as Item)['name']);
      return there === undefined ? undefined : { status, body: there };
    },
  }),
  ...alone,
});

const job = { name: text, state: { ...text, enum: ['planned', 'running', 'done'], default: 'planned' } };
/** A job begins in a state, and is in the next one after so many requests. */
const moving = (begin: string, runsAfter: number): Row => ({
  plan: {
    name: 'jobs',
    record: object({ id, ...job }, ['id', 'name', 'state']),
    sent: object(job, ['name']),
    methods: ['list', 'create', 'get'],
  },
  habits: () => {
    const asked = new Map<unknown, number>();
    return {
      keep: ({ name: own, state = begin }) => ({ name: own, state }),
      answer: (_asked, items) => {
        for (const item of items) {
          asked.set(item['id'], (asked.get(item['id']) ?? 0) + 1);
          if (Number(asked.get(item['id'])) > runsAfter && item['state'] === 'planned') item['state'] = 'running';
        }
        return undefined;
      },
    };
  },
  only: ['jobs/records/*'],
  ...alone,
});

const van = { name, wheels: { ...integer, minimum: 0, example: 4 } };
const isTaken = (items: readonly Item[], field: string, value: unknown, key?: string): boolean =>
  items.some((other) => other[field] === value && String(other['id']) !== key);
const vans = (habits: (fit: Fit) => Habits): Row => ({
  plan: {
    name: 'vans',
    record: object({ id, ...van }, ['id', 'name']),
    sent: object(van, ['name']),
    methods: ALL,
    refusals: { create: [400, 409], replace: [400, 404, 409], update: [400, 404, 409] },
  },
  habits,
  only: ['vans/changes/*-taken*'],
  ...alone,
});
/** Names are looked at by none of these methods, or a change leaves the name as it is. */
const checkingNames = (unchecked: readonly string[] = [], isFixed = false): Row =>
  vans((fit) => ({
    refuse: (body, asked, items) => {
      const isFree = unchecked.includes(asked.method) || (isFixed && asked.method !== 'POST');
      return (
        fit(body, asked) ?? (!isFree && isTaken(items, 'name', body['name'], asked.path[1]) ? fail(409) : undefined)
      );
    },
    answer: ({ method, path, body }, items) => {
      const found = items.find((each) => String(each['id']) === path[1]);
      if (isFixed && found !== undefined && method === 'PATCH') Object.assign(body as Item, { name: found['name'] });
      return undefined;
    },
  }));
const BOTH = ['vans/changes/replace-taken[texts]', 'vans/changes/update-taken[texts]'];
const TAKEN = ['An update can take the `name` of another record, with which a create is rejected (vans)'];
const expectTaken =
  (expected: readonly (string | undefined)[]) =>
  ({ scenarios }: RunResult): void => {
    const passed = scenarios.filter(({ verdict }) => verdict === 'passed').map((each) => each.id);
    expect(passed.filter((each) => each.includes('taken')).toSorted()).toEqual(expected);
  };

function expectTwo({ scenarios }: RunResult): void {
  expect(scenarios.find((each) => each.id === BOTH[1])?.reason).toBe('the service accepts two such records');
}

const coded = { code: { ...name, example: 'A-1' }, name };

const CUT_AT = 30;
const CUT = 'boats/changes/remove-from-list';
interface Length {
  first: number;
  /** How many come to be, of somebody else's, when the run removes one: the list that is read then was no longer before. */
  after: number;
  /** Whether somebody else's stand around each of the run's own until then. */
  between?: boolean;
  isTurned?: boolean;
  said: RegExp;
}
const others = (count: number, from: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, name: "Somebody else's" }));
/** A list without pages, of as many records as servers cut lists at: whether it is cut, what was seen of it tells. */
const cut = ({ first, after, between = false, isTurned = false, said }: Length): Row => ({
  plan: { name: 'boats', ...crates },
  habits: () => ({
    answer({ method }, items) {
      if (method === 'POST' && between) items.push(...others(1, 1000 + items.length));
      if (method !== 'DELETE') return undefined;
      const kept = items.filter((each) => Number(each['id']) < 1000);
      items.splice(0, items.length, ...others(after, 2000), ...(isTurned ? kept.toReversed() : kept));
      return undefined;
    },
    list: (items) => ({ status: 200, body: items.slice(0, CUT_AT) }),
    refuse: () => undefined,
  }),
  first: others(first, 1),
  only: [CUT],
  ...alone,
  also: ({ scenarios }) => {
    const { verdict, reason } = scenarios.find((each) => each.id === CUT) ?? {};
    expect(reason ?? verdict).toMatch(said);
  },
});

testStrangers([
  // What 503 says of the first create is open; that 429 took nothing, it says itself (RFC 6585 section 4).
  { title: 'a create is stored, and put off with 503', ...puttingOff(503) },
  stranger('a create is stored, and put off with 429', puttingOff(429), {
    told: [/One create is stored more than once/],
  }),
  { title: 'a create is answered with the record that is there, and 200', ...knowingAgain(200) },
  stranger('a create is answered with the record that is there, and 201', knowingAgain(201), {
    told: ['One key is given to several records (buoys)'],
  }),
  { title: 'a state moves on from its default', ...moving('planned', 1) },
  stranger('a state is never its default', moving('done', Infinity), {
    told: ['`state` is "done" where no request names it, not its default "planned" (jobs)'],
  }),
  { title: 'a name that is taken is rejected', ...checkingNames(), also: expectTaken(BOTH) },
  { title: 'PUT accepts a name that is taken', ...checkingNames(['PUT']), told: TAKEN },
  stranger('an update leaves the name as it is', checkingNames(['PUT'], true), {
    told: TAKEN,
    also: expectTaken([BOTH[1]]),
  }),
  stranger(
    'a code that is taken is rejected, and a name that is taken is not',
    {
      plan: {
        name: 'vans',
        record: object({ id, ...coded }, ['id', 'code', 'name']),
        sent: object(coded, ['code', 'name']),
        methods: ['list', 'create', 'get', 'update', 'remove'],
        refusals: { create: [400, 409], update: [400, 404, 409] },
      },
      paths: (paths) =>
        void Object.assign(paths['/vans/{id}']?.['patch'] ?? {}, {
          requestBody: { required: true, ...content(object({ name })) },
        }),
      habits: (fit) => ({
        refuse: (body, asked, items) =>
          fit(body, asked) ?? (asked.method === 'POST' && isTaken(items, 'code', body['code']) ? fail(409) : undefined),
      }),
      only: ['vans/records/*', 'vans/changes/*-taken*'],
    },
    alone,
    { also: expectTwo },
  ),
  stranger(
    'a record that was created is shown late, to all that looks for what is taken',
    vans((fit) => {
      const looks = new Map<unknown, number>();
      return {
        refuse: (body, asked, items) =>
          fit(body, asked) ?? (isTaken(items, 'name', body['name'], asked.path[1]) ? fail(409) : undefined),
        answer: ({ method, path: [, key] }) => {
          if (method !== 'GET' || key === undefined) return undefined;
          looks.set(key, (looks.get(key) ?? 0) + 1);
          return looks.get(key) === 1 ? fail(404) : undefined;
        },
      };
    }),
    { options: { settleMs: 2000, concurrency: 1 } },
  ),
  stranger(
    'a list has all that was seen in it but what was removed: it is whole',
    cut({ first: CUT_AT - 5, after: 2, isTurned: true, said: /^passed$/ }),
  ),
  stranger(
    'a list does not have what stood between records that are there: it is whole',
    cut({ first: CUT_AT - 9, after: 6, between: true, said: /^passed$/ }),
  ),
  stranger(
    'a list lacks what was seen in it: it may be cut',
    cut({ first: CUT_AT - 4, after: 2, said: /has 30 records, as a page may have/ }),
  ),
]);
