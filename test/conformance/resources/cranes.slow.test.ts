// A yard of cranes: unique names with an example, refused without a word on which, times, sites, flags, ETags and an order. Each habit that it may have is one that
// somebody planted who did not know what is looked for.
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { inQuery } from '../../support/open-paths.js';
import { object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Answer,
  type Asked,
  type Item,
  type Serve,
} from './support/stranger.js';
import { expectHeadline } from './support/expect-problem.js';

const KINDS = ['tower', 'mobile'];
const FIELDS = {
  mast: { ...text, minLength: 2, maxLength: 40, example: 'NORTH-ARM' },
  kind: { type: 'string', enum: KINDS },
  isOn: { type: 'boolean' },
  load: { type: 'integer', minimum: 0, maximum: 500, example: 40 },
  rank: { type: 'integer', minimum: 0, maximum: 900, example: 7 },
  servicedAt: { type: 'string', format: 'date-time', example: '2026-02-03T08:30:00Z' },
  site: object({ place: { ...text, example: 'Quay' }, berth: { type: 'integer', example: 3 } }, ['place']),
};
const SENT = object(FIELDS, ['mast', 'kind']);

type Defect =
  | 'nothing-ignored'
  | 'default-again'
  | 'removes-stale'
  | 'site-kept'
  | 'minutes-only'
  | 'kind-lost-in-order'
  | 'stored-twice'
  // Which is legal.
  | 'counts-views'
  | 'first-moves-others'
  | 'whole-minutes'
  | 'nothing-removes';

function describeCranes(): object {
  const paths = describeShelf({
    name: 'cranes',
    record: object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id', 'mast', 'kind']),
    sent: SENT,
    query: [inQuery('kind', FIELDS.kind), inQuery('sort', { type: 'string', enum: ['load', '-load'] })],
    methods: ['list', 'create', 'get', 'replace', 'update', 'remove'],
    refusals: { create: [400, 409], replace: [400, 404, 409], update: [400, 404, 409], remove: [404, 412] },
  }) as Record<string, Record<string, Schema>>;
  return describePaths(paths);
}

const isWhole = ajvFormats.default(new Ajv2020({ strict: false })).compile(SENT);

const hasSeconds = (time: unknown): boolean => typeof time === 'string' && !/T\d\d:\d\d:00/.test(time);

/** It also says how often the cranes were looked at, where that counts. */
const tagOf = (item: Item, views: number): string =>
  `"${views}.${Buffer.from(JSON.stringify(item)).toString('base64url').slice(-40)}"`;

function serveCranes(defect: Defect | undefined): Serve {
  let twins = 0;
  let views = 0;
  const answer = ({ method, path, headers, body }: Asked, items: Item[]): Answer | undefined => {
    const found = items.find(({ id }) => String(id) === path[1]);
    if (method === 'GET' && defect === 'counts-views') views += 1;
    if (method === 'GET' && found !== undefined)
      return { status: 200, body: found, headers: { ETag: tagOf(found, views) } };
    const wanted = headers['if-match'];
    const isStale = found !== undefined && wanted !== undefined && wanted !== tagOf(found, views);
    if (method === 'DELETE' && isStale && defect !== 'removes-stale') return fail(412);
    const sent = (typeof body === 'object' && body !== null ? body : {}) as Item;
    if (method === 'PATCH' && defect === 'nothing-ignored')
      for (const [name, value] of Object.entries(sent)) if (value === false || value === 0) delete sent[name];
    if (method === 'PATCH' && defect === 'default-again' && !('isOn' in sent)) sent['isOn'] = true;
    if (method === 'PATCH' && defect === 'nothing-removes' && found !== undefined && sent['load'] === 0) {
      items.splice(items.indexOf(found), 1);
      return { status: 200, body: found };
    }
    if (method === 'PATCH' && defect === 'first-moves-others' && found !== undefined && sent['rank'] === 0)
      for (const item of items) if (item !== found) item['rank'] = Number(item['rank'] ?? 0) + 1;
    if (method === 'PUT' && defect === 'site-kept' && found !== undefined && isWhole(sent))
      Object.assign(sent, { site: found['site'] });
    if (method === 'GET' && defect === 'stored-twice' && twins < Math.floor(items.length / 5)) {
      twins += 1;
      items.push({ ...items.at(-1), id: 5000 + twins });
    }
    return undefined;
  };
  return serveShelf('cranes', {
    answer,
    refuse: (body, { method, path }, items) => {
      const found = items.find(({ id }) => String(id) === path[1]);
      if (!isWhole(method === 'PATCH' ? { ...found, ...body } : body)) return fail(400);
      if (defect === 'whole-minutes' && hasSeconds(body['servicedAt'])) return fail(400, 'Bad Request');
      const isTaken = items.some((other) => other['mast'] === body['mast'] && String(other['id']) !== path[1]);
      return isTaken ? fail(409, 'Conflict') : undefined;
    },
    keep: ({ id: _id, ...body }) => {
      const kept = Object.fromEntries(Object.entries(body).filter(([name]) => name in FIELDS));
      const time = kept['servicedAt'];
      if (defect === 'minutes-only' && typeof time === 'string')
        kept['servicedAt'] = time.replace(/:\d\d(?:\.\d+)?(?=Z|[+-])/, ':00');
      return kept;
    },
    list: (items, { query }) => {
      const [kind, sort] = [query.get('kind'), query.get('sort')];
      if ((kind !== null && !KINDS.includes(kind)) || (sort !== null && !['load', '-load'].includes(sort)))
        return fail(400);
      const isFiltered = kind !== null && !(defect === 'kind-lost-in-order' && sort !== null);
      const sign = sort === '-load' ? -1 : 1;
      const shown = items.filter((item) => !isFiltered || item['kind'] === kind);
      const loadOf = (item: Item): number => Number(item['load'] ?? -1);
      return {
        status: 200,
        body: sort === null ? shown : shown.toSorted((one, two) => sign * (loadOf(one) - loadOf(two))),
      };
    },
  });
}

async function judge(defect?: Defect): Promise<{ told: string[]; share: number }> {
  const { scenarios, ...result } = await judgeStranger(describeCranes(), serveCranes(defect), [], { concurrency: 1 });
  const open = scenarios.filter(({ verdict }) => verdict === 'inconclusive');
  return { told: listTold({ scenarios, ...result }), share: open.length / scenarios.length };
}

test('a yard that keeps its contract has no problem, and all but little is concluded', async () => {
  const { told, share } = await judge();
  expect(told).toEqual([]);
  expect(share).toBeLessThan(0.01);
});

test.each<[Defect, RegExp]>([
  ['nothing-ignored', /^`isOn` and `load` are not as they were sent in responses of cranes_/],
  ['default-again', /^`isOn` is not as it was sent in responses of cranes_/],
  ['removes-stale', /^cranes_remove returns 204 instead of 412 to an If-Match that does not match the record$/],
  ['site-kept', /^`site\/\w+`.* not as .* sent/],
  ['minutes-only', /^`servicedAt` is not as it was sent/],
  ['stored-twice', /^One create is stored more than once, in responses of cranes_list$/],
  ['kind-lost-in-order', /^The filter by `kind` of cranes_list returns records that do not match$/],
])('%s is told as what it is', async (defect, headline) => expectHeadline((await judge(defect)).told, headline));

test.each<[Defect, string, string]>([
  ['counts-views', 'cranes/requests/remove-if-match', 'passed'],
  ['nothing-removes', 'cranes/changes/update-to-nothing[all]', 'skipped'],
  ['first-moves-others', 'cranes/changes/update-to-nothing[all]', 'passed'],
])('%s is legal', async (habit, scenario, verdict) => {
  const result = await judgeStranger(describeCranes(), serveCranes(habit), [], { concurrency: 1 });
  expect(listTold(result)).toEqual([]);
  expect(result.scenarios.find(({ id }) => id === scenario)).toMatchObject({ verdict });
});

test('a yard that takes no seconds is sent another time without', async () => {
  const result = await judgeStranger(describeCranes(), serveCranes('whole-minutes'), ['cranes/changes/replace'], {
    concurrency: 1,
  });
  const replaced = result.scenarios.find(({ id }) => id === 'cranes/changes/replace');
  const sent = replaced?.steps.flatMap(({ exchanges }) => exchanges).find(({ request }) => request.method === 'PUT');
  expect(replaced?.verdict).toBe('passed');
  const { servicedAt } = JSON.parse(sent?.request.body ?? '{}') as { servicedAt?: string };
  expect(servicedAt).toMatch(/:00(?:\.0+)?Z$/);
  expect(servicedAt).not.toBe(FIELDS.servicedAt.example);
});
