// What services that nobody here wrote do with the keys of records, with records that are not there, and at the second time.
import { expect } from 'vitest';
import { content } from '../../support/open-paths.js';
import { object, text, type Schema } from './support/odd-resource.js';
import type { Habits, ShelfPlan } from './support/shelf.js';
import { fail, type Answer, type Item } from './support/stranger.js';
import { ALL, id, listOpen, name, testStrangers, stranger } from './support/strangers.js';
import type { Fit, Row, Stranger } from './support/strangers.js';

const LOST = /^A created record is missing/;
const CHANGES = ['*/records/*', '*/changes/*'];
/** Late services show a thing after some looks, however fast those are; this is for how long the run would look. */
const PATIENT = { settleMs: 5000, concurrency: 1 };
const isThere = (items: readonly Item[], key: unknown): boolean => items.some((each) => String(each['id']) === key);

/** Tokens, whose create answers nothing: their path has a name, which the service may write in its own way. */
const tokens = (write: (own: string) => string, lost = 0): Row => ({
  plan: { name: 'tokens', record: object({ name, note: text }, ['name']), key: text, keyName: 'name' },
  paths: (paths) =>
    void Object.assign(paths['/tokens']?.['post']?.responses ?? {}, { 201: { description: 'Created.' } }),
  habits: (fit) => {
    let created = 0;
    return {
      keyProperty: 'name',
      keep: (body) => ({ ...body, name: write(String(body['name'])) }),
      answer: ({ method, body }) =>
        method === 'POST' && fit(body, { method }) === undefined && (created += 1) === lost
          ? { status: 201 }
          : undefined,
    };
  },
  only: CHANGES,
});

/** Memos, whose path has a key that no response shows, or the id under the name of a memo. */
const memos = (keyName: string, isFound: boolean): Row => ({
  plan: { name: 'memos', record: object({ id, name, note: text }, ['name']), keyName },
  habits: () => ({ answer: ({ path }) => (path[1] === undefined || isFound ? undefined : fail(404)) }),
  only: ['memos/records/*'],
});

/** Pages, whose id is made of their name. */
const pages = (habits: (fit: Fit) => Habits = () => ({})): Row => ({
  plan: { name: 'pages', record: object({ id: { ...text, readOnly: true }, name, note: text }, ['name']), key: text },
  habits: (fit) => ({ renames: (body) => `page-${String(body['name'])}`, ...habits(fit) }),
  only: CHANGES,
});
const replacing = (...names: readonly string[]): Row =>
  pages((fit) => ({
    answer: ({ method, path: [, key], body }, items) => {
      const found = items.find((each) => each['id'] === key);
      if (fit(body, { method }) !== undefined) return undefined;
      if (method === 'POST') {
        const made = { ...(body as Item), id: `page-${String((body as Item)['name'])}` };
        if (isThere(items, made.id)) return fail(409);
        items.push(made);
        return { status: 201, body: made };
      }
      if (method !== 'PUT' || found === undefined) return undefined;
      for (const each of names) found[each] = (body as Item)[each];
      return { status: 200, body: found };
    },
  }));
const escape = (own: string): string => own.replaceAll(/[^\w.-]/gu, (letter) => `\\${letter.codePointAt(0)}`);
const escaped = (keep: (own: string) => string): Row =>
  pages(() => ({
    keep: (body) => ({ ...body, name: keep(String(body['name'])) }),
    renames: (body) => escape(String(body['name'])),
  }));

const KEYS: readonly Stranger[] = [
  { title: 'a record is not found by a key that was guessed', ...tokens((own) => `${own}.`) },
  { title: 'a record is not found as others are', ...tokens((own) => own, 2), told: [LOST] },
  { title: 'a key under another name than the path has it is not found, which is a guess', ...memos('memoKey', false) },
  { title: 'the id of a memo is not found as the key of a memo', ...memos('memo', false), told: [LOST] },
  { title: 'the id of a memo is the key of a memo', ...memos('memo', true) },
  { title: 'a replacement that gives another name gives another key', ...pages() },
  { title: 'a replacement keeps the name of which the key is made', ...replacing('note') },
  {
    title: 'a replacement keeps all',
    ...replacing(),
    told: [/^`note` is not as it was sent/, 'A replacement without `note` does not remove it (pages)'],
  },
  { title: 'the letters of which a key is made have a form of their own there', ...escaped(escape) },
  { title: 'a name gets more letters', ...escaped((own) => `${own}-x`), told: [/^`name` is not as it was sent/] },
  stranger(
    'a replacement that keeps the name gives another key',
    pages(() => {
      let count = 0;
      return { renames: ({ note }) => `page-${String(note)}-${(count += 1)}` };
    }),
    { among: /./ },
  ),
];

/** As SQLite counts without AUTOINCREMENT, and all that take the greatest key and add one. */
const oneMore = (items: readonly Item[]): number => Math.max(0, ...items.map((each) => Number(each['id']))) + 1;
/** Notes, where somebody else writes one whenever one is removed. */
function reusing(loses: boolean): Row {
  const others: Item[] = [];
  let kept: Item[] = [];
  return {
    plan: { name: 'notes', record: object({ id, name }, ['name']), methods: ALL },
    habits: () => ({
      nextKey: oneMore,
      answer: ({ method, path }, items) => {
        kept = items;
        const index = items.findIndex((each) => String(each['id']) === path[1]);
        if (method !== 'DELETE' || index === -1) return undefined;
        if (loses) return { status: 204 };
        items.splice(index, 1);
        const other = { id: oneMore(items), name: `of somebody else ${others.length}` };
        others.push({ ...other });
        items.push(other);
        return { status: 204 };
      },
    }),
    only: ['notes/records/*', 'notes/changes/*', 'notes/gaps/*-gone'],
    options: { concurrency: 1 },
    also: () => {
      expect(others.length > 0).toBe(!loses);
      expect(kept).toEqual(expect.arrayContaining(others));
    },
  };
}

const bill = object({ id, name, note: text }, ['id', 'name']);
/** Creates that show the key of a record in their own way, or none. */
const creating = (success: Schema, answer: (item: Item) => Answer, keep = (body: Item): Item => body): Row => ({
  plan: { name: 'bills', record: bill, sent: object({ name, note: text }, ['name']) },
  paths: (paths) => {
    const create = paths['/bills']?.['post'];
    if (create !== undefined)
      create.responses = { ...(success as Record<string, Schema>), 400: create.responses['400'] ?? {} };
  },
  habits: (fit) => {
    let last = 5000;
    return {
      answer({ method, body }, items) {
        if (method !== 'POST') return undefined;
        const wrong = fit(body, { method });
        if (wrong !== undefined) return wrong;
        const item = { ...keep(body as Item), id: (last += 1) };
        items.push(item);
        return answer(item);
      },
    };
  },
  only: ['bills/records/*', 'bills/changes/*'],
});
const mute = (keep?: (body: Item) => Item): Row =>
  creating({ 204: { description: 'Done.' } }, () => ({ status: 204 }), keep);
const either = content(object({ data: { oneOf: [bill, { type: 'array', items: bill }] } }));

const SHOWN_KEYS: readonly Stranger[] = [
  { title: 'a key is given again, and what others have under it stays as it is', ...reusing(false) },
  stranger('a record stays under its key after its removal', reusing(true), {
    among: /^A deleted record is still in responses/,
  }),
  stranger('a create answers nothing, which is concluded by what the list gained, and nothing stays', mute(), {
    also: (result) => {
      expect({ open: listOpen(result), left: result.leftBehind ?? [] }).toEqual({ open: [], left: [] });
      expect(result.notes.join()).toMatch(
        /bills_create returns no key of the created record; the run finds its records in the list/,
      );
    },
  }),
  stranger(
    'a create that answers nothing loses a field',
    mute(({ note: _, ...body }) => body),
    { told: [/^`note` is not as it was sent in responses of /] },
  ),
  stranger(
    'a create answers nothing, and the list shows no text that was sent: whose record it is is no guess',
    mute(() => ({ name: 'the same for all' })),
    { also: (result) => expect(listOpen(result)).not.toEqual([]) },
  ),
  stranger(
    'a create takes one or many, and answers either',
    creating({ 201: either }, (data) => ({ status: 201, body: { data } })),
    { also: (result) => expect(listOpen(result)).toEqual([]) },
  ),
];

/** A record is shown after some looks at it, and until then answered as a key that nobody has. */
const late = (
  status: number,
  get: readonly number[],
  looksOf: (key: number) => number = () => 2,
  options: Row['options'] = PATIENT,
): Row => ({
  plan: { name: 'sites', record: object({ id, note: name }, ['note']), refusals: { get } },
  habits: () => {
    const looks = new Map<string, number>();
    return {
      answer: ({ method, path: [, key] }, items) => {
        if (method !== 'GET' || key === undefined) return undefined;
        looks.set(key, (looks.get(key) ?? 0) + 1);
        return isThere(items, key) && (looks.get(key) ?? 0) > looksOf(Number(key)) ? undefined : fail(status);
      },
    };
  },
  only: ['sites/records/*'],
  options,
});

/** Settings have names, of which the service takes its own alone. */
const settings = (replace: readonly number[]): Row => ({
  plan: {
    name: 'settings',
    record: object({ kind: name, note: name }),
    key: text,
    keyName: 'kind',
    refusals: { replace } satisfies ShelfPlan['refusals'],
  },
  habits: () => ({
    keyProperty: 'kind',
    answer: ({ method, path: [, key] }, items) =>
      method === 'PUT' && key !== undefined && !items.some(({ kind }) => kind === key) ? fail(422) : undefined,
  }),
});

const ABSENCE: readonly Stranger[] = [
  { title: 'a record is late, and 403 until then', ...late(403, [403]) },
  { title: 'a record is late, and 403 until then, where 404 is documented as well', ...late(403, [403, 404]) },
  { title: 'a record is late, and 410 until then', ...late(410, [410]) },
  stranger(
    'a record never shows up where others do',
    late(403, [403], (key) => (key > 102 ? Infinity : 0), {}),
    { told: [/^sites_get (?:returns|rejects with) 403/] },
  ),
  { title: 'a name that was made up is rejected with a documented status', ...settings([400, 404, 422]) },
  stranger('a name that was made up is rejected with another status', settings([400, 404]), {
    told: ['settings_replace returns 422 instead of 404 for a record that does not exist'],
  }),
];

/** Whether anybody has a mail already is said in words alone. */
const member = object({ id, name, mail: { ...text, format: 'email', example: 'noor@example.com' } });
const club = (takesAny: boolean, conflict = 'Another member has this `mail`.'): Row => ({
  plan: { name: 'members', record: member, methods: ALL, refusals: { create: [400, 409], update: [400, 404, 409] } },
  paths: (paths) => void Object.assign(paths['/members']?.['post']?.responses['409'] ?? {}, { description: conflict }),
  habits: (fit) => ({
    refuse: (body, asked, items) => {
      const isOther = (each: Item): boolean => each['mail'] === body['mail'] && String(each['id']) !== asked.path[1];
      return fit(body, asked) ?? (!takesAny && items.some(isOther) ? fail(409, 'Conflict') : undefined);
    },
  }),
  only: ['members/records/*', 'members/changes/*', 'members/refusals/*', 'members/sequences/*'],
  options: { concurrency: 1 },
});

const CLUB: readonly Stranger[] = [
  { title: 'a mail that is taken is rejected, as the contract says', ...club(false) },
  { title: 'two members have one mail, which the contract does not forbid', ...club(true, 'The club is full.') },
  { title: 'two members have one mail', ...club(true), told: [/^members_create returns 201 instead of 409/] },
];

testStrangers([...KEYS, ...SHOWN_KEYS, ...ABSENCE, ...CLUB]);
