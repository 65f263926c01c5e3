import { expect, test } from 'vitest';
import { inQuery } from '../../support/open-paths.js';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits, type ShelfPlan } from './support/shelf.js';
import { describePaths, fail, judgeStranger, type Answer, type Item } from './support/stranger.js';
import type { RunResult } from '../../../src/conformance/index.js';

const id = { ...integer, readOnly: true };

async function judgeShelf(plan: Omit<ShelfPlan, 'name'>, habits: Habits, first?: readonly Item[]): Promise<RunResult> {
  const document = describePaths(describeShelf({ name: 'sites', ...plan }));
  return judgeStranger(document, serveShelf('sites', habits, first));
}

function tellOf({ problems }: RunResult): string[] {
  return problems.map(({ headline }) => headline);
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** A site must have a host name and one of the categories that there are. */
const site = object({ id, host: { ...text, minLength: 1 }, categoryId: integer }, ['host', 'categoryId']);
const refuseSite =
  (status: number): NonNullable<Habits['refuse']> =>
  ({ host, categoryId }) => {
    if (!isText(host) || !Number.isInteger(categoryId)) return fail(400);
    return categoryId === 7 && String(host).endsWith('.example') ? undefined : fail(status);
  };
const refusals = { create: [400, 404, 409, 422], replace: [400, 404, 409, 422] };

test.each([400, 404, 409, 422])(
  '%i for what the run made up proves nothing, where the contract has it',
  async (status) => {
    const first = [{ id: 1, host: 'a.example', categoryId: 7 }];
    const result = await judgeShelf({ record: site, refusals }, { refuse: refuseSite(status) }, first);
    expect(tellOf(result)).toEqual([]);
    const create = result.scenarios.find((each) => each.id === 'sites/records/create');
    expect(create?.verdict).toBe('inconclusive');
    expect(create?.reason).toMatch(/^needs a service that takes a site made from the contract; an example/);
  },
);

test('a refusal that the contract does not have is told', async () => {
  const result = await judgeShelf({ record: site, refusals: { create: [400] } }, { refuse: refuseSite(422) });
  expect(tellOf(result)).toEqual(['sites_create refuses with 422 what the contract allows']);
});

const open = object({ id, note: text, kind: { ...text, enum: ['a', 'b'] } }, []);
const isNote = ({ note, kind = 'a' }: Item): Answer | undefined =>
  (note === undefined || typeof note === 'string') && (kind === 'a' || kind === 'b') ? undefined : fail(400);

test('a service may want more than nothing, and what it makes of more is judged', async () => {
  const wantsMore: Habits['refuse'] = (body) => (body['note'] === undefined ? fail(400) : isNote(body));
  const { problems, scenarios } = await judgeShelf({ record: open }, { refuse: wantsMore });
  expect(problems).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'passed').map((each) => each.id)).toContain(
    'sites/changes/replace',
  );
});

test('a value that the contract lists is to be taken where all else was', async () => {
  const refuse: Habits['refuse'] = (body) => (body['kind'] === 'b' ? fail(400) : isNote(body));
  expect(tellOf(await judgeShelf({ record: open }, { refuse }))).toContain(
    'sites_create refuses with 400 what the contract allows with `kind` "b"',
  );
});

test('beside 400, 422 for a value that the contract lists may be of another value', async () => {
  const refuse: Habits['refuse'] = (body) => (body['kind'] === 'b' ? fail(422) : isNote(body));
  const judge = async (create: number[]): Promise<string[]> =>
    tellOf(await judgeShelf({ record: open, refusals: { create, replace: [...create, 404] } }, { refuse }));
  expect(await judge([400, 422])).toEqual([]);
  expect(await judge([422])).toContain('sites_create refuses with 422 what the contract allows with `kind` "b"');
});

test('404 for an invalid request is no lost record, nor an acceptance', async () => {
  const list: Habits['list'] = (items, { query }) => {
    const page = query.get('page') ?? '1';
    if (!/^[1-9]\d*$/.test(page)) return fail(404, 'Invalid page.');
    return { status: 200, body: page === '1' ? items : [] };
  };
  const plan = { record: open, query: [inQuery('page', { ...integer, minimum: 1 })] };
  expect(tellOf(await judgeShelf({ ...plan, refusals: { list: [400, 404] } }, { list, refuse: isNote }))).toEqual([]);
  expect(tellOf(await judgeShelf({ ...plan, refusals: { list: [400] } }, { list, refuse: isNote }))).toEqual([
    expect.stringMatching(/^sites_list answers 404 instead of 400/),
  ]);
});

test('an invalid request that is served is told', async () => {
  const list: Habits['list'] = (items, { query }) => ({
    status: 200,
    body: Number(query.get('page') ?? 1) > 1 ? [] : items,
  });
  const plan = { record: open, query: [inQuery('page', { ...integer, minimum: 1 })], refusals: { list: [400, 404] } };
  expect(tellOf(await judgeShelf(plan, { list, refuse: isNote }))).toEqual([
    expect.stringMatching(/^sites_list accepts `page` /),
  ]);
});
