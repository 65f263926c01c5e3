import { expect, test } from 'vitest';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Answer, type Item } from './support/stranger.js';

const ONLY = ['*/records/*', '*/changes/*'];
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const refuse = ({ name, note = '' }: Item): Answer | undefined =>
  isText(name) && typeof note === 'string' ? undefined : fail(400);

/** Tokens, whose create answers nothing: their path has a name, which the service may write in its own way. */
async function judgeTokens(write: (name: string) => string, loses = 0): Promise<string[]> {
  const record = object({ name: { ...text, minLength: 1 }, note: text }, ['name']);
  const paths = describeShelf({ name: 'tokens', record, key: text, keyName: 'name' });
  const { post } = paths['/tokens'] as { post: { responses: Schema } };
  post.responses[201] = { description: 'Created.' };
  let created = 0;
  const habits: Habits = {
    keyProperty: 'name',
    refuse,
    keep: (body) => ({ ...body, name: write(String(body['name'])) }),
    answer: ({ method, body }) => {
      const isLost = method === 'POST' && isText((body as Item | undefined)?.['name']) && (created += 1) === loses;
      return isLost ? { status: 201 } : undefined;
    },
  };
  return listTold(await judgeStranger(describePaths(paths), serveShelf('tokens', habits), ONLY));
}

test('a record that is not found by a key that was guessed is not told as lost', async () => {
  expect(await judgeTokens((name) => `${name}.`)).toEqual([]);
});

test('a record that is not found as others are is told', async () => {
  expect(await judgeTokens((name) => name, 2)).toEqual([
    expect.stringMatching(/^A record that was created is not there/),
  ]);
});

/** Memos, whose path has a key that no answer shows, or the id under the name of a memo. */
async function judgeMemos(keyName: string, isFound: boolean): Promise<string[]> {
  const record = object({ id: { ...integer, readOnly: true }, name: { ...text, minLength: 1 }, note: text }, ['name']);
  const document = describePaths(describeShelf({ name: 'memos', record, keyName }));
  const answer: Habits['answer'] = ({ path }) => (path[1] === undefined || isFound ? undefined : fail(404));
  return listTold(await judgeStranger(document, serveShelf('memos', { refuse, answer }), ['memos/records/*']));
}

test('a key under another name than the path has it is a guess, and the id of a memo is the key of a memo', async () => {
  expect(await judgeMemos('memoKey', false)).toEqual([]);
  expect(await judgeMemos('memo', false)).toEqual([expect.stringMatching(/^A record that was created is not there/)]);
  expect(await judgeMemos('memo', true)).toEqual([]);
});

/** Pages, whose id is made of their name. */
async function judgePages(habits: Habits = {}): Promise<string[]> {
  const record = object({ id: { ...text, readOnly: true }, name: { ...text, minLength: 1 }, note: text }, ['name']);
  const document = describePaths(describeShelf({ name: 'pages', record, key: text }));
  const serve = serveShelf('pages', { refuse, renames: ({ name }) => `page-${String(name)}`, ...habits });
  return listTold(await judgeStranger(document, serve, ONLY));
}

test('a replacement that gives a record another name may give it another key', async () => {
  expect(await judgePages()).toEqual([]);
});

test('a replacement may keep the name of which the key is made, and nothing else', async () => {
  const owns = (kept: readonly string[]): Habits => ({
    answer: ({ method, path: [, key], body }, items) => {
      const found = items.find(({ id }) => id === key);
      if (method === 'POST' && refuse(body as Item) === undefined) {
        const made = { ...(body as Item), id: `page-${String((body as Item)['name'])}` };
        if (items.some(({ id }) => id === made.id)) return fail(409);
        items.push(made);
        return { status: 201, body: made };
      }
      if (method !== 'PUT' || found === undefined || refuse(body as Item) !== undefined) return undefined;
      for (const name of ['name', 'note']) if (!kept.includes(name)) found[name] = (body as Item)[name];
      return { status: 200, body: found };
    },
  });
  expect(await judgePages(owns(['name']))).toEqual([]);
  expect(await judgePages(owns(['name', 'note']))).toEqual([expect.stringMatching(/^`note` is not as it was sent/)]);
});

test('the letters of which a key is made may have a form of their own there', async () => {
  const escape = (name: string): string => name.replaceAll(/[^\w.-]/gu, (letter) => `\\${letter.codePointAt(0)}`);
  const judgeForm = (keep: (name: string) => string): Promise<string[]> =>
    judgePages({
      keep: (body) => ({ ...body, name: keep(String(body['name'])) }),
      renames: ({ name }) => escape(String(name)),
    });
  expect(await judgeForm(escape)).toEqual([]);
  expect(await judgeForm((name) => `${name}-x`)).toEqual([expect.stringMatching(/^`name` is not as it was sent/)]);
});

test('a replacement that keeps the name and gives another key is told', async () => {
  let count = 0;
  const told = await judgePages({ renames: ({ note }) => `page-${String(note)}-${(count += 1)}` });
  expect(told.length).toBeGreaterThan(0);
});
