// A list may leave records out, as its contract says, or as their state says: what it never shows is not lost.
import { expect, test } from 'vitest';
import { object, text, type Schema } from '../resources/support/odd-resource.js';
import type { Habits } from '../resources/support/shelf.js';
import { fail, listTold, type Item } from '../resources/support/stranger.js';
import { id, name, runStranger } from '../resources/support/strangers.js';

interface Posts {
  /** The field beside the name, which decides what is shown. */
  field?: Record<string, Schema>;
  /** What the list says of itself. */
  said?: string;
  shows: (item: Item, query: URLSearchParams, index: number) => boolean;
  query?: readonly Schema[];
  answer?: Habits['answer'];
  beside?: Schema;
}

/** What a run tells of a service whose list shows some of its posts. */
const judge = async ({ field = {}, said = 'All posts.', shows, query = [], answer, beside }: Posts) =>
  listTold(
    await runStranger({
      plan: { name: 'posts', record: object({ id, name, ...field }, ['name']), query },
      paths: (all) => void Object.assign(all['/posts']?.['get'] ?? {}, { description: said }),
      habits: () => ({
        keep: (body) => ({
          ...Object.fromEntries(Object.entries(field).map(([own, each]) => [own, each['default']])),
          ...body,
        }),
        ...(answer && { answer }),
        list: (items, { query: asked }) =>
          /^(?:true|false|)$/.test(asked.get('includeFirst') ?? '')
            ? { status: 200, body: items.filter((item, index) => shows(item, asked, index)) }
            : fail(400),
      }),
      ...(beside && { beside }),
      only: ['posts/records/create*', 'posts/records/list*', 'posts/sequences/later-listed*'],
    }),
  );

const STATE = { state: { ...text, enum: ['draft', 'public'], default: 'draft' } };
const STAGE = { stage: { ...text, enum: ['one', 'two'], default: 'one' } };
const flag = (own: string, byDefault: boolean) => ({ [own]: { type: 'boolean', default: byDefault } });
const isPublic: Posts['shows'] = ({ state }) => state === 'public';
const isTwo: Posts['shows'] = ({ stage }) => stage === 'two';
const ADDED: Posts = {
  field: STAGE,
  query: [{ name: 'includeFirst', in: 'query', schema: { type: 'boolean', default: false } }],
  shows: (item, query, index) => isTwo(item, query, index) || query.get('includeFirst') === 'true',
};
const KEYED = { components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } }, security: [{ key: [] }] };
const answer: Habits['answer'] = ({ headers }) => (headers['authorization'] === 'Bearer any' ? undefined : fail(401));

test.each<[string, Posts]>([
  ['a draft that the list never shows', { field: STATE, shows: isPublic }],
  ['what is archived', { field: flag('archived', true), shows: ({ archived }) => archived === false }],
  ['what is not active', { field: flag('active', false), shows: ({ active }) => active === true }],
  ['what the description leaves out', { said: 'Posts in stage one are not listed.', field: STAGE, shows: isTwo }],
  ['what a parameter adds', ADDED],
  ['what a parameter adds, in requests that show credentials', { ...ADDED, beside: KEYED, answer }],
])('is not told: %s', async (_, posts) => expect(await judge(posts)).toEqual([]));

test.each<[string, Posts]>([
  [
    'a record that the list lacks whatever its state, although the list leaves out drafts',
    { said: 'Drafts are not listed.', field: STATE, shows: (_, __, index) => index % 3 > 0 },
  ],
  ['one in a state of which nothing says that it is left out', { field: STAGE, shows: isTwo }],
])('is told: %s', async (_, posts) =>
  expect(await judge(posts)).toEqual([
    expect.stringMatching(/^A created record is missing in responses of posts_list/),
  ]),
);
