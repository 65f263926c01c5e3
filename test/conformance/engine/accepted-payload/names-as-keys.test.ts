// What a program with names for keys does: a create that shows no key, values of its own, why it failed, endless responses.
import { expect, test } from 'vitest';
import { content } from '../../../support/open-paths.js';
import { object, text, type Schema } from '../../resources/support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from '../../resources/support/shelf.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Answer,
  type Asked,
  type Item,
} from '../../resources/support/stranger.js';

const ONLY = ['volumes/records/*', 'volumes/changes/*'];

/** Volumes, whose key is their name, with a driver that only the service knows. */
function describe(success: Schema, required: readonly string[]): Record<string, unknown> {
  const record = object({ name: text, driver: { type: 'string' } }, ['name', 'driver']);
  const sent = object({ name: { type: 'string' }, driver: { type: 'string' } }, [...required]);
  const paths = describeShelf({ name: 'volumes', record, sent, key: { type: 'string' }, keyName: 'name' });
  Object.assign((paths['/volumes'] as Record<string, Record<string, object>>)['post']?.['responses'] ?? {}, {
    201: content(success),
  });
  return paths;
}

const keep = (body: Item): Item => ({ driver: 'local', ...body });

function serve({ refuse, answer }: Pick<Habits, 'refuse' | 'answer'>, first: readonly Item[] = []) {
  return serveShelf(
    'volumes',
    { keyProperty: 'name', keep, ...(refuse && { refuse }), ...(answer && { answer }) },
    first,
  );
}

const RECEIPT = object({ warning: { type: 'string' } }, ['warning']);

test.each([
  ['as it is', false],
  ['but another driver than was sent', true],
])('the run gives a key that the response to a create does not show: %s', async (_, isOther) => {
  let made = 0;
  const answer = ({ method, path, body }: Asked, items: Item[]): Answer | undefined => {
    if (method !== 'POST' || path[1] !== undefined || typeof body !== 'object' || body === null) return undefined;
    const { name = `v${(made += 1)}` } = body as Item;
    if (typeof name !== 'string') return fail(400);
    items.push({ driver: 'local', ...body, name, ...(isOther ? { driver: 'other' } : {}) });
    return { status: 201, body: { warning: '' } };
  };
  const result = await judgeStranger(describePaths(describe(RECEIPT, [])), serve({ answer }), ONLY);
  const found = result.scenarios.find(({ id }) => id === 'volumes/records/get');
  expect(found?.verdict).toBe('passed');
  expect(listTold(result).join()).toMatch(
    isOther ? /`driver` is not as it was sent|driver is not as it was sent/ : /^$/,
  );
  expect(result.leftBehind).toBeUndefined();
});

const refuse = ({ name, driver }: Item): Answer | undefined => {
  if (typeof name !== 'string' || typeof driver !== 'string') return fail(400);
  return driver === 'local' ? undefined : fail(500, 'no plugin with that name is available');
};
const WHOLE = object({ name: text, driver: { type: 'string' } }, ['name', 'driver']);

test('a text that is refused is taken from a record that is there', async () => {
  const first = [{ name: 'home', driver: 'local' }];
  const result = await judgeStranger(
    describePaths(describe(WHOLE, ['name', 'driver'])),
    serve({ refuse }, first),
    ONLY,
  );
  expect(listTold(result)).toEqual([expect.stringMatching(/^volumes_create fails with 500/)]);
  expect(result.scenarios.find(({ id }) => id === 'volumes/records/get')?.verdict).toBe('passed');
});

test('without one, what the failure says is why the others are inconclusive', async () => {
  const result = await judgeStranger(describePaths(describe(WHOLE, ['name', 'driver'])), serve({ refuse }), ONLY);
  const reason = result.scenarios.find(({ id }) => id === 'volumes/records/get')?.reason;
  expect(reason).toMatch(/needs a service that accepts a volume .*; it says "no plugin with that name is available"$/);
});

test.each([
  ['stream', 200, 'false', []],
  ['stream', 500, 'false', [expect.stringMatching(/^events fails with 500/)]],
  ['brief', 200, null, []],
])('a response that may go on for ever is asked to end: %s, %i', async (name, status, wanted, told) => {
  const flag = { name, in: 'query', schema: { type: 'boolean', default: true } };
  const responses = { 200: content(object({})), 400: content(object({ message: text })) };
  const asked: (string | null)[] = [];
  const answer = ({ query }: Asked): Answer => {
    const value = query.get(name);
    asked.push(value);
    if (value !== null && value !== 'true' && value !== 'false') return fail(400);
    return value === 'true' ? { status: 200, body: {} } : { status, body: {} };
  };
  const events = { operationId: 'events', parameters: [flag], responses };
  const result = await judgeStranger(describePaths({ '/events': { get: events } }), answer);
  expect(asked).toContain(wanted);
  expect(listTold(result)).toEqual(told);
});
