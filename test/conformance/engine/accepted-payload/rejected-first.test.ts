// Whatever a service answers to the first create, the next smaller one is tried, and the reason shows what it says.
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../../src/conformance/index.js';
import { object, text, type Schema } from '../../resources/support/odd-resource.js';
import { describeShelf, serveShelf } from '../../resources/support/shelf.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Answer,
  type Item,
} from '../../resources/support/stranger.js';

const FIELDS = { name: text, label: { type: 'string' }, teamId: { type: 'integer' } } satisfies Record<string, Schema>;

interface Service {
  required?: readonly string[];
  refuse: (body: Item) => Answer | undefined;
  first?: readonly Item[];
  teams?: readonly Item[];
}

async function judge({ required = ['name'], refuse, first = [], teams = [] }: Service): Promise<RunResult> {
  const sent = object(FIELDS, [...required]);
  const record = object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id', 'name']);
  const team = object({ id: { type: 'integer', readOnly: true }, title: text }, ['id', 'title']);
  const refusals = { create: [400, 409, 413, 418] };
  const paths = {
    ...describeShelf({ name: 'kites', record, sent, refusals }),
    ...describeShelf({ name: 'teams', record: team, methods: ['list', 'get'] }),
  };
  const isWrong = (body: Item): boolean => typeof body['name'] !== 'string' || body['name'] === '';
  const kites = serveShelf('kites', { refuse: (body) => (isWrong(body) ? fail(400) : refuse(body)) }, first);
  const all = serveShelf('teams', {}, teams);
  const serve = (asked: Parameters<typeof kites>[0]): Answer => (asked.path[0] === 'teams' ? all(asked) : kites(asked));
  return judgeStranger(describePaths(paths), serve, ['kites/*', 'teams/*']);
}

const passes = ({ scenarios }: RunResult, id: string): boolean | undefined =>
  scenarios.find((each) => each.id === id)?.verdict === 'passed';

describe('the next is tried', () => {
  test('after a 500, which is told', async () => {
    const result = await judge({
      refuse: ({ label }) => (label === undefined ? fail(500, 'label must not be null') : undefined),
    });
    expect(listTold(result)).toContainEqual(expect.stringMatching(/^kites_create fails with 500/));
    expect(passes(result, 'kites/records/get')).toBe(true);
  });

  test.each([409, 413, 418])('after a %i', async (status) => {
    const result = await judge({
      refuse: ({ label }) => (label === undefined ? fail(status, 'label is required') : undefined),
    });
    expect(passes(result, 'kites/records/get')).toBe(true);
  });

  test('with the key of a record that is in the list of another resource', async () => {
    const result = await judge({
      required: ['name', 'teamId'],
      teams: [{ id: 71, title: 'Red' }],
      refuse: ({ teamId }) => (teamId === 71 ? undefined : fail(400, 'no such team')),
    });
    expect(passes(result, 'kites/records/get')).toBe(true);
  });
});

test('where nothing is taken, the reason shows what the service says', async () => {
  const result = await judge({ refuse: () => fail(409, 'The season is over.') });
  expect(listTold(result)).toEqual([]);
  expect(result.untested).toMatch(/; it says "The season is over\."$/);
});
