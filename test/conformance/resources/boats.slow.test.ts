import { expect, test } from 'vitest';
import { inQuery } from '../../support/open-paths.js';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
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

const KINDS = ['sail', 'motor', 'barge'];
const LENGTH = { type: 'number', minimum: 1, maximum: 120, example: 11.3 };
const FIELDS = {
  name: { ...text, maxLength: 80 },
  kind: { type: 'string', enum: KINDS },
  metres: LENGTH,
  insured: { type: 'boolean' },
  draught: { type: 'number', minimum: 0, maximum: 20, example: 1.5 },
  notes: { ...text, maxLength: 4000 },
  marks: { type: 'array', items: { ...text, maxLength: 20 }, maxItems: 9, example: ['blue', 'tall'] },
};
const QUERY = [
  inQuery('kind', { type: 'array', items: { type: 'string', enum: KINDS } }),
  inQuery('insured', { type: 'boolean' }),
  inQuery('q'),
  inQuery('sort', { type: 'string', enum: ['metres', '-metres'] }),
];
const REFUSALS = [400, 401, 403, 404];
const BOATS = describePaths(
  describeShelf({
    name: 'boats',
    record: object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id', 'name', 'kind', 'metres']),
    sent: object(FIELDS, ['name', 'kind', 'metres']),
    query: QUERY,
    methods: ['list', 'create', 'get', 'replace', 'update', 'remove'],
    refusals: {
      list: REFUSALS,
      create: REFUSALS,
      get: REFUSALS,
      replace: REFUSALS,
      update: REFUSALS,
      remove: REFUSALS,
    },
  }),
  {
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  },
);

const KEY = 'boats-key';

type Defect =
  | 'any-key-changes'
  | 'numbers-in-texts'
  | 'notes-cut'
  | 'marks-added'
  | 'put-keeps'
  | 'sorts-as-text'
  | 'never-turns'
  | 'last-lost'
  | 'first-kind-alone'
  | 'kind-without-q'
  | 'kind-without-insured'
  | 'zero-lost'
  | 'address-nowhere'
  | 'odd-q-fails'
  // Which is legal.
  | 'quota';

const isFine = (body: Item, isPart: boolean, has: Has): boolean => {
  const takes = (name: string, rule: (value: unknown) => boolean, isNeeded = false): boolean =>
    body[name] === undefined ? isPart || !isNeeded : rule(body[name]);
  const isText = (most: number) => (value: unknown) => typeof value === 'string' && value.length <= most;
  const isLength = (value: unknown): boolean =>
    (typeof value === 'number' || (has('numbers-in-texts') && typeof value === 'string' && value !== '')) &&
    Number(value) >= 1 &&
    Number(value) <= 120;
  const isMarks = (value: unknown): boolean =>
    Array.isArray(value) && value.length <= 9 && value.every((each) => isText(20)(each));
  return (
    takes('name', isText(80), true) &&
    takes('kind', (value) => KINDS.includes(String(value)) && typeof value === 'string', true) &&
    takes('metres', isLength, true) &&
    takes('insured', (value) => typeof value === 'boolean') &&
    takes('draught', (value) => typeof value === 'number' && value >= 0 && value <= 20) &&
    takes('notes', isText(4000)) &&
    takes('marks', isMarks)
  );
};

type Has = (defect: Defect) => boolean;

/** In an order of its own: what is like the contract's example comes last, by the name read backwards. */
function placeOf({ name, kind, metres, insured, notes, marks }: Item): string {
  const isUsual = kind === 'sail' && metres === 11.3 && insured === true && String(marks) === 'blue,tall';
  return `${isUsual && String(notes).length < 20 ? 1 : 0} ${Array.from(String(name)).toReversed().join('')}`;
}

function list(items: Item[], { query }: Asked, has: Has): Answer {
  const asked = query.getAll('kind').flatMap((each) => each.split(','));
  const kinds = has('first-kind-alone') ? asked.slice(0, 1) : asked;
  const [q, insured, sort] = [query.get('q'), query.get('insured'), query.get('sort')];
  if (kinds.some((kind) => !KINDS.includes(kind)) || !['true', 'false', null].includes(insured)) return fail(400);
  if (!['metres', '-metres', null].includes(sort)) return fail(400);
  if (has('odd-q-fails') && q?.includes('-') === true) return fail(500);
  const skips = (has('kind-without-q') && q !== null) || (has('kind-without-insured') && insured !== null);
  const found = items
    .filter(({ kind }) => kinds.length === 0 || skips || kinds.includes(String(kind)))
    .filter((item) => insured === null || String(item['insured']) === insured)
    .filter(({ name }) => q === null || String(name).includes(q))
    .toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)));
  const way = sort === '-metres' && !has('never-turns') ? -1 : 1;
  const compare = ({ metres: one }: Item, { metres: other }: Item): number =>
    way * (has('sorts-as-text') ? String(one).localeCompare(String(other)) : Number(one) - Number(other));
  const sorted = sort === null ? found : found.toSorted(compare);
  return { status: 200, body: has('last-lost') ? sorted.slice(0, -1) : sorted };
}

function habitsOf(has: Has): Habits {
  let created = 0;
  return {
    answer({ method, path, headers, body }, items) {
      const isChange = path[1] !== undefined && method !== 'GET';
      const isKnown =
        headers['x-key'] === KEY || (has('any-key-changes') && isChange && headers['x-key'] !== undefined);
      if (!isKnown) return fail(401);
      const index = items.findIndex(({ id }) => String(id) === path[1]);
      const old = items[index];
      if (old === undefined || typeof body !== 'object' || body === null) return undefined;
      if (
        method === 'PATCH' &&
        has('marks-added') &&
        Array.isArray((body as Item)['marks']) &&
        isFine(body as Item, true, has)
      ) {
        const marks = [...((old['marks'] as unknown[] | undefined) ?? []), ...((body as Item)['marks'] as unknown[])];
        items[index] = { ...old, ...(body as Item), marks: marks.slice(0, 9), id: old['id'] };
        return { status: 200, body: items[index] };
      }
      if (method === 'PUT' && has('put-keeps') && isFine(body as Item, false, has)) {
        items[index] = { ...old, ...(body as Item), id: old['id'] };
        return { status: 200, body: items[index] };
      }
      return undefined;
    },
    refuse: (body, { method }) => {
      if (!isFine(body, method === 'PATCH', has)) return fail(400);
      if (method === 'POST' && has('quota') && (created += 1) > 40) return fail(403, 'The quota is used up');
      return undefined;
    },
    keep: ({ id: _id, ...body }) => {
      const kept = { ...body };
      if (has('notes-cut') && typeof kept['notes'] === 'string') kept['notes'] = kept['notes'].slice(0, 255);
      if (has('zero-lost') && kept['draught'] === 0) delete kept['draught'];
      if (has('numbers-in-texts') && kept['metres'] !== undefined) kept['metres'] = Number(kept['metres']);
      return kept;
    },
    list: (items, asked) => {
      return list(items, asked, has);
    },
  };
}

/** With addresses below another path, at which there is something or not. */
function locate(serve: Serve, place: string, isThere: boolean): Serve {
  return (asked) => {
    const { method, path } = asked;
    if (isThere && path[0] === 'harbour') return serve({ ...asked, path: path.slice(1) });
    const answer = serve(asked);
    if (method !== 'POST' || answer.status !== 201) return answer;
    return { ...answer, headers: { Location: `${place}/${String((answer.body as Item)['id'])}` } };
  };
}

async function tell(defect: Defect, only: string[] = []): Promise<string[]> {
  const serve = serveShelf(
    'boats',
    habitsOf((each) => each === defect),
  );
  const located = defect === 'address-nowhere' ? locate(serve, '/harbour/boats', false) : serve;
  return listTold(await judgeStranger(BOATS, located, only, { apiKey: KEY }));
}

test('boats that are kept as their contract says have no problem, and all of it is concluded', async () => {
  const result = await judgeStranger(
    BOATS,
    serveShelf(
      'boats',
      habitsOf(() => false),
    ),
    [],
    { apiKey: KEY },
  );
  expect(listTold(result)).toEqual([]);
  expect(result.scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id)).toEqual([]);
});

test.each<[Defect, RegExp]>([
  [
    'any-key-changes',
    /^The key is not checked: boats_update, boats_replace and boats_remove serve requests with a wrong key$/,
  ],
  ['numbers-in-texts', /accept `metres` as text/],
  ['notes-cut', /^`notes` is not as it was sent in responses of boats_create/],
  ['marks-added', /^`marks` is not as it was sent in responses of boats_update/],
  ['put-keeps', /^A replacement without `(?:notes|marks|draught)` does not remove it/],
  ['sorts-as-text', /^A list that is sorted by `metres` is not in that order, in responses of boats_list/],
  ['never-turns', /^A list that is sorted by `metres` is not in that order, in responses of boats_list: ascending/],
  ['first-kind-alone', /^The filter by `kind` of boats_list leaves out records that match$/],
  ['kind-without-q', /^The filter by `kind` of boats_list returns records that do not match$/],
  ['zero-lost', /^`draught` is not as it was sent in responses of boats_create/],
  ['address-nowhere', /^The `Location` in responses of boats_create is not the address of the created record$/],
  ['odd-q-fails', /^boats_list fails with 500 (?:with q=no-such-value-cf|for \d+ of \d+ requests)$/],
  ['kind-without-insured', /^The filter by `kind` of boats_list returns records that do not match$/],
])('boats with %s are reported by a headline that says so', async (defect, headline) => {
  expectHeadline(await tell(defect), headline);
});

test('boats of which a list lacks the last are told of by the list', async () => {
  const told = await tell('last-lost', ['boats/sequences/later-listed*']);
  expect(told).toEqual(['A created record is missing in responses of boats_list']);
});

test.each([
  ['their own path', '/boats', false],
  ['another path that leads to them', '/harbour/boats', true],
] as const)('boats whose addresses have %s accuse nobody', async (_, place, isThere) => {
  const serve = serveShelf(
    'boats',
    habitsOf(() => false),
  );
  expect(listTold(await judgeStranger(BOATS, locate(serve, place, isThere), [], { apiKey: KEY }))).toEqual([]);
});

test('boats of which nobody may keep more than forty accuse nobody', async () =>
  expect(await tell('quota')).toEqual([]));
