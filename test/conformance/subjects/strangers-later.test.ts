// Defects that show at the second time, in what only one may have, or in letters that are not ASCII: each was planted by somebody
// who did not know what is looked for.
import { expect, test } from 'vitest';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Answer, type Item } from './support/stranger.js';

type Operation = { responses: Record<string, Schema>; parameters?: Schema[] };

/** Names of people need more than spaces; whether anybody has one already is said in words. */
const NAME = { ...text, minLength: 1, maxLength: 60, pattern: '\\S', example: 'Noor' };
const RECORD = object({
  id: { ...integer, readOnly: true },
  name: NAME,
  mail: { ...text, format: 'email', example: 'noor@example.com' },
  isOpen: { type: 'boolean', default: true },
  madeAt: { ...text, format: 'date-time', readOnly: true },
});
const MADE_AT = '2026-03-04T05:06:07Z';

function describeMembers(conflict: string): object {
  const paths = describeShelf({
    name: 'members',
    record: { ...RECORD, required: ['id', 'name', 'mail', 'isOpen', 'madeAt'] },
    sent: { ...RECORD, required: ['name', 'mail'] },
    methods: ['list', 'create', 'get', 'replace', 'update', 'remove'],
    refusals: { create: [400, 409, 415], replace: [400, 404, 409], update: [400, 404, 409] },
  });
  const { post } = (paths as Record<string, { post: Operation }>)['/members'] as { post: Operation };
  post.responses['409'] = { ...post.responses['409'], description: conflict };
  post.parameters = [{ name: 'Idempotency-Key', in: 'header', schema: { ...text, minLength: 8 } }];
  return describePaths(paths);
}

type Defect =
  | 'any-mail'
  | 'ascii-names'
  | 'made-by-clients'
  | 'last-key-alone'
  | 'first-change-alone'
  | 'any-type'
  | 'partly-stored'
  | 'short-address';

function isMember({ name, mail, isOpen }: Item, isPart: boolean): boolean {
  const isName = typeof name === 'string' ? /^(?=.*\S).{1,60}$/su.test(name) : isPart && name === undefined;
  const isMail = typeof mail === 'string' ? /^[^@\s]+@[^@\s.]+\.[^@\s]+$/.test(mail) : isPart && mail === undefined;
  return isName && isMail && (isOpen === undefined || typeof isOpen === 'boolean');
}

function serveMembers(defect?: Defect): ReturnType<typeof serveShelf> {
  const answered = new Map<string, { sent: string; answer: Answer }>();
  const cached = new Map<string, Item>();
  const changes = new Map<string, number>();
  const habits: Habits = {
    refuse: (body, { method, path }, items) => {
      const found = items.find(({ id }) => String(id) === path[1]);
      if (!isMember(body, method === 'PATCH')) {
        if (defect === 'partly-stored' && found !== undefined)
          for (const [name, value] of Object.entries(body))
            if (isMember({ [name]: value }, true) && Object.hasOwn(found, name)) found[name] = value;
        return fail(400);
      }
      const own = path[1];
      const isTaken = items.some(({ id, mail }) => mail === body['mail'] && String(id) !== own);
      return isTaken && defect !== 'any-mail' ? fail(409, 'Conflict') : undefined;
    },
    keep: ({ id: _id, madeAt, ...body }) => ({
      ...body,
      ...(typeof body['name'] === 'string' && defect === 'ascii-names'
        ? { name: body['name'].replaceAll(/[^ -~]/g, '?') }
        : {}),
      ...(defect === 'made-by-clients' && madeAt !== undefined ? { madeAt } : {}),
    }),
    show: (item) => ({ isOpen: true, madeAt: MADE_AT, ...item }),
  };
  const shelf = serveShelf('members', habits);
  return (asked) => {
    const { method, path, headers, body } = asked;
    const key = path[1] ?? '';
    const type = headers['content-type']?.toString() ?? 'application/json';
    const isText = defect === 'any-type' && type.startsWith('text/plain');
    if (!/^application\/json\b/i.test(type) && !isText) return fail(415);
    const repeat = headers['idempotency-key']?.toString();
    const sent = JSON.stringify(body);
    const before = method === 'POST' && repeat !== undefined ? answered.get(repeat) : undefined;
    if (before !== undefined) return before.sent === sent ? before.answer : fail(409);
    if (method === 'GET' && defect === 'first-change-alone' && cached.has(key))
      return { status: 200, body: cached.get(key) };
    // Who makes a member says nothing of when.
    const plain = method === 'POST' ? { ...asked, body: { ...(body as Item), madeAt: undefined } } : asked;
    const isBody = typeof body === 'object' && body !== null && !Array.isArray(body);
    const answer = shelf(isBody ? plain : asked);
    if (method === 'POST' && repeat !== undefined && answer.status === 201) {
      if (defect === 'last-key-alone') answered.clear();
      answered.set(repeat, { sent, answer });
    }
    if (method === 'GET' && key !== '' && answer.status === 200) cached.set(key, answer.body as Item);
    if ((method === 'PATCH' || method === 'PUT') && answer.status === 200) {
      const count = (changes.get(key) ?? 0) + 1;
      changes.set(key, count);
      if (count === 1) cached.delete(key);
    }
    if (method === 'DELETE') cached.delete(key);
    const place = defect === 'short-address' ? '/member' : '/members';
    const isMade = method === 'POST' && answer.status === 201;
    return isMade ? { ...answer, headers: { Location: `${place}/${String((answer.body as Item)['id'])}` } } : answer;
  };
}

const TAKEN = 'Another member has this `mail`.';

async function judge(defect?: Defect, conflict = TAKEN): Promise<string[]> {
  return listTold(await judgeStranger(describeMembers(conflict), serveMembers(defect), [], { concurrency: 1 }));
}

test('a club that keeps its contract has no problem', async () => {
  expect(await judge()).toEqual([]);
});

test.each<[Defect, RegExp]>([
  ['any-mail', /^members_create answers 201 instead of 409/],
  ['ascii-names', /^`name` is not as it was sent/],
  ['made-by-clients', /`madeAt`/],
  ['last-key-alone', /Idempotency-Key/],
  ['any-type', /^members_create answers 201 instead of 415/],
  ['partly-stored', /^`mail` and `name` are not as they were sent in the answers of members_get/],
  ['short-address', /^The `Location` in the answers of members_create is not the address/],
  ['first-change-alone', /not as (?:it was|they were) sent in the answers of members_get/],
])('%s is told', async (defect, headline) => {
  expect(await judge(defect)).toEqual([expect.stringMatching(headline)]);
});

test('what only one may have is not asked for where the contract does not say so', async () => {
  expect(await judge('any-mail', 'The club is full.')).toEqual([]);
});
