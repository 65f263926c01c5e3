// Kennels, whose every field has rules that a service may not look at: in a create, an update or a replacement.
import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/conformance/index.js';
import { content, inPath, inQuery } from '../../support/open-paths.js';
import { expectHeadline } from './support/expect-problem.js';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf } from './support/shelf.js';
import { fail, listTold, type Answer, type Asked, type Item } from './support/stranger.js';
import { createFit, runStranger, type Row } from './support/strangers.js';

const SIZES = ['small', 'large'];
const STATES = ['open', 'shut'];
const REQUIRED = ['name', 'size'];
const uuid = { ...text, format: 'uuid' };
const own = { id: { ...uuid, readOnly: true }, state: { ...text, enum: STATES, readOnly: true } };
const contact = object({ phone: { ...text, pattern: '^[0-9]{6}$' } }, []);
const fields = {
  name: { ...text, minLength: 1, maxLength: 40 },
  code: { ...text, pattern: '^[A-Z]{3}$' },
  since: { ...text, format: 'date' },
  opened: { ...text, format: 'date-time' },
  places: { ...integer, format: 'int32', minimum: 1 },
  size: { ...text, enum: SIZES },
  mail: { ...text, format: 'email', maxLength: 100 },
  kinds: { type: 'array', maxItems: 2, uniqueItems: true, items: { ...text, enum: ['cat', 'dog', 'fox', 'owl'] } },
  rounds: { type: 'array', items: { ...integer, minimum: 1 } },
  owner: object({ city: { ...text, minLength: 1 }, country: { ...text, enum: ['CH', 'FR'] }, contact }, ['city']),
};
const whole = object(fields, REQUIRED);
const part = object(fields, [], { minProperties: 1 });
const dog = { name: 'dogs', record: object({ id: own.id, kennelId: own.id, call: { ...text, minLength: 1 } }) };

/** A rule that one of its methods does not look at, or a habit. */
interface Defect {
  method?: 'POST' | 'PATCH' | 'PUT';
  drop?: (schema: Schema) => void;
  habit?: string;
}

const KEY = 'kennel-Key';
const isInteger = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

function list(items: readonly Item[], { query }: Asked, habit?: string): Answer {
  const [limit, offset] = [Number(query.get('limit') ?? 5), Number(query.get('offset') ?? 0)];
  const [size, state] = [query.get('size'), query.get('state')];
  if (!isInteger(limit, 1, 20) || !isInteger(offset, 0, 1e9)) return fail(400);
  if ((size !== null && !SIZES.includes(size)) || (state !== null && !STATES.includes(state))) return fail(400);
  const isOfState = (item: Item): boolean => state === null || habit === 'state ignored' || item['state'] === state;
  const chosen = items.filter((item) => (size === null || item['size'] === size) && isOfState(item)).toReversed();
  const from = habit === 'repeats far behind' && offset >= 80 ? offset - 1 : offset;
  const body = chosen.slice(from, from + limit);
  const total = habit === 'total of all' ? items.length : chosen.length;
  return { status: 200, body, headers: { 'X-Total-Count': String(total) } };
}

const kennels = ({ method: unchecked, drop, habit }: Defect = {}, count = 3): Row => ({
  plan: {
    name: 'kennels',
    record: object({ ...own, ...fields }, ['id', 'state', ...REQUIRED]),
    sent: whole,
    key: uuid,
    keyName: 'kennelId',
    query: [
      inQuery('limit', { ...integer, minimum: 1, maximum: 20, default: 5 }),
      inQuery('offset', { ...integer, minimum: 0, default: 0 }),
      inQuery('size', fields.size),
      inQuery('state', { ...text, enum: STATES }),
    ],
    methods: ['list', 'create', 'get', 'replace', 'update'],
    refusals: {
      list: [400, 401],
      create: [400, 401],
      get: [401, 404],
      replace: [400, 401, 404],
      update: [400, 401, 404],
    },
  },
  beside: {
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    security: [{ key: [] }],
  },
  options: { apiKey: KEY },
  paths: (paths) => {
    const ofAll = paths['/kennels'] ?? {};
    Object.assign(ofAll['get']?.responses['200'] ?? {}, { headers: { 'X-Total-Count': { schema: integer } } });
    Object.assign(ofAll['post']?.responses['201'] ?? {}, { headers: { Location: { schema: text } } });
    Object.assign(paths['/kennels/{kennelId}']?.['patch'] ?? {}, { requestBody: { required: true, ...content(part) } });
    const refusals = { list: [401, 404], create: [400, 401, 404], get: [401, 404] };
    const dogs = describeShelf({ ...dog, key: uuid, methods: ['list', 'create', 'get'], refusals });
    const parameters = [{ ...inPath('kennelId'), schema: uuid }];
    const below = Object.entries(dogs as Record<string, { parameters?: Schema[] }>).map(([path, rules]) => [
      `/kennels/{kennelId}${path}`,
      { ...rules, parameters: [...parameters, ...(rules.parameters ?? [])] },
    ]);
    const failed = content(object({ message: text }));
    const gone = { 204: { description: 'Done.' }, 401: failed, 404: failed };
    const weather = { 200: content(object({ degrees: integer })), 401: failed };
    return {
      ...paths,
      ...(Object.fromEntries(below) as object),
      '/kennels/{kennelId}/clean': { parameters, post: { operationId: 'cleanKennel', responses: gone } },
      '/weather': { get: { operationId: 'getWeather', responses: weather } },
    };
  },
  first: Array.from({ length: count }, (_, index) => ({
    id: crypto.randomUUID(),
    name: `Own ${index}`,
    size: 'large',
    state: STATES[index % 2],
  })),
  habits: () => {
    const schemas = { POST: whole, PUT: whole, PATCH: part };
    const fits = Object.entries(schemas).map(([method, schema]) => {
      const looked = structuredClone(schema);
      if (method === unchecked) drop?.(looked);
      return [method, createFit({ record: looked })] as const;
    });
    const fit = new Map(fits);
    const dogs: Item[] = [];
    const answerDogs = ({ method, path: [, kennelId, , dogId], body }: Asked, items: readonly Item[]): Answer => {
      const isPassed = dogId === undefined && habit === `no kennel for ${method}`;
      if (items.every(({ id }) => id !== kennelId) && !isPassed) return fail(404);
      const all = dogs.filter((each) => each['kennelId'] === kennelId || isPassed);
      const found = dogId === undefined ? all : all.find(({ id }) => id === dogId);
      if (method === 'GET') return found === undefined ? fail(404) : { status: 200, body: found };
      const { call } = (body ?? {}) as Item;
      if (typeof call !== 'string' || call === '') return fail(400);
      const made = { id: crypto.randomUUID(), call, kennelId };
      dogs.push(made);
      return { status: 201, body: habit === 'another kennel' ? { ...made, kennelId: items.at(-2)?.['id'] } : made };
    };
    return {
      answer(asked, items) {
        const { method, path, body } = asked;
        if (path[2] === 'dogs') return answerDogs(asked, items);
        if (path[2] === 'clean') return items.some(({ id }) => id === path[1]) ? { status: 204 } : fail(404);
        if (method !== 'POST') return undefined;
        const wrong = fit.get('POST')?.(body, asked);
        if (wrong !== undefined) return wrong;
        const { state = 'open', ...kept } = body as Item;
        if (habit === 'order lost') (kept['rounds'] as number[] | undefined)?.sort((one, other) => one - other);
        const made = { ...kept, id: crypto.randomUUID(), state: habit === 'state of a client' ? state : 'open' };
        const Location = habit === 'address of the list' ? '/kennels' : `/kennels/${made.id}`;
        items.push(made);
        return { status: 201, body: made, headers: { Location } };
      },
      // A replacement is of all but the state.
      refuse: (body, asked, items) => {
        const wrong = fit.get(asked.method)?.(body, asked);
        if (wrong !== undefined) return wrong;
        body['state'] = items.find(({ id }) => id === asked.path[1])?.['state'];
        return undefined;
      },
      list: (items, asked) => list(items, asked, habit),
    };
  },
  serve: (_fit, shelf) => (asked) => {
    const { path, headers } = asked;
    const isOpen = habit === `${path[2] === 'clean' ? 'clean' : String(path[0])} for all`;
    const shown = String(headers['x-key']);
    const isKey = shown === KEY || (habit === 'key in any case' && shown.toLowerCase() === KEY.toLowerCase());
    if (!isKey && !isOpen) return fail(401);
    if (path[0] !== 'weather') return shelf(asked);
    return { status: 200, body: { degrees: 12 } };
  },
});

const judge = (defect: Defect, only: readonly string[], count?: number): Promise<RunResult> =>
  runStranger({ ...kennels(defect, count), only });
const tell = async (defect: Defect, only: readonly string[], count?: number): Promise<string[]> =>
  listTold(await judge(defect, only, count));

type Properties = Record<string, Schema>;

/** A property of a schema, at any depth. */
const at = (schema: Schema, ...names: string[]): Schema =>
  names.reduce(
    (each, name) => (name === '*' ? (each['items'] as Schema) : ((each['properties'] as Properties)[name] ?? {})),
    schema,
  );

test('a service that keeps its contract passes all of it', async () => {
  expect(await tell({}, [])).toEqual([]);
  expect(await tell({}, ['kennels/lists/*'], 100)).toEqual([]);
});

const REFUSALS = ['kennels/refusals/create*', 'kennels/refusals/update*', 'kennels/refusals/replace*'];

test.each([
  ['POST', 'since', 'format', /_create accepts `since` .*"2026-02-30"/],
  ['POST', 'mail', 'maxLength', /_create accepts `mail` /],
  ['POST', 'kinds', 'maxItems', /_create accepts `kinds` \["cat","dog","fox"\]/],
  ['POST', 'places', 'format', /_create accepts `places` 2147483648/],
  ['POST', 'owner.contact.phone', 'pattern', /_create accepts `owner\/contact\/phone`/],
  ['POST', 'kinds.*', 'enum', /_create accepts `kinds\/1` "no-such-value"/],
  ['PATCH', 'code', 'pattern', /_update accepts `code`/],
  ['PATCH', 'owner.country', 'enum', /_update accepts `owner\/country` "no-such-value"/],
  ['PATCH', '', 'minProperties', /_update accepts/],
  ['PUT', 'owner', 'required', /_replace accepts a body without `owner\/city`/],
  ['PUT', 'opened', 'format', /_replace accepts `opened`/],
] as const)('a %s that does not look at %s (%s) is told', async (method, path, rule, headline) => {
  const names = path === '' ? [] : path.split('.');
  expectHeadline(await tell({ method, drop: (schema) => void delete at(schema, ...names)[rule] }, REFUSALS), headline);
});

test.each<[string, (schema: Schema) => void, RegExp]>([
  ['another case', (schema) => (at(schema, 'code')['pattern'] = '^[A-Za-z]{3}$'), /_create accepts `code` "[a-z]{3}"/],
  [
    'a time without its zone',
    (schema) => Object.assign(at(schema, 'opened'), { format: undefined, pattern: String.raw`^\d{4}-\d{2}-\d{2}T` }),
    /_create accepts `opened` "2026-02-03T10:00:00"/,
  ],
])('a near miss alone is told: %s', async (_, drop, headline) => {
  expect(await tell({ method: 'POST', drop }, REFUSALS)).toEqual([expect.stringMatching(headline)]);
});

const OTHERS = '*/refusals/credentials-of-others*';
test.each([
  ['state of a client', 'kennels/records/read-only*', /^`state`, which is read only, can be changed by clients/],
  ['order lost', 'kennels/records/values*', /^`rounds\/\*` is not as it was sent/],
  [
    'state ignored',
    'kennels/lists/filter-by-service*',
    /^The filter by `state` of kennels_list returns records that do/,
  ],
  ['total of all', 'kennels/lists/total-of-filter*', /^kennels_list says that there are \d+ records, and lists/],
  [
    'address of the list',
    'kennels/records/create',
    /^The `Location` in responses of kennels_create is not the address/,
  ],
  ['another kennel', '*/records/create', /^A record names another parent than the one in the path/],
  ['no kennel for POST', '*/parents/unknown-create', /^dogs_create returns 201 instead of 404 or 400/],
  ['clean for all', OTHERS, /^The key is not checked: cleanKennel serves requests without a key and with a wrong key$/],
  [
    'weather for all',
    OTHERS,
    /^The key is not checked: getWeather serves requests without a key and with a wrong key$/,
  ],
  ['key in any case', '*/refusals/credential-forms*', /with the key in another case$/],
] as const)('%s is told', async (habit, only, headline) => expectHeadline(await tell({ habit }, [only]), headline));

test('a total that ignores the filter does not keep filters from being judged', async () => {
  const { scenarios } = await judge({ habit: 'total of all' }, ['kennels/lists/filter-value*']);
  const asked = scenarios.filter(({ id }) => id.includes('filter-value'));
  expect(asked.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
});

test('a list of many records is read in pages', async () => {
  expect(await tell({ habit: 'repeats far behind' }, ['kennels/lists/pages-of-more*'], 130)).toEqual([
    expect.stringMatching(/^A record appears twice in the pages of kennels_list/),
  ]);
});

test('what may change something is asked without credentials only where the run may change records of its own', async () => {
  const seen: string[] = [];
  const { serve, ...row } = kennels();
  await runStranger({
    ...row,
    serve: (fit, shelf) => (asked) => {
      seen.push(`${asked.method} ${asked.path.at(-1) ?? ''}`);
      return serve?.(fit, shelf)(asked) ?? fail(404);
    },
    only: [OTHERS],
    options: { apiKey: KEY, may: ['create'] },
  });
  expect(seen).toContain('GET weather');
  expect(seen).not.toContain('POST clean');
});
