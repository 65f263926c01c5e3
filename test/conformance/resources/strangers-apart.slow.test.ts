// What services that were written apart do, and a run took for defects; beside each what is one.
import { content } from '../../support/open-paths.js';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import type { Habits } from './support/shelf.js';
import { fail, type Item } from './support/stranger.js';
import {
  id,
  name,
  testStrangers,
  type Fit,
  type Paths,
  type Row,
  type Stranger,
  stranger,
} from './support/strangers.js';

const fields = { name, note: text, state: { ...text, enum: ['open', 'paid', 'closed'] } };
const bills = (habits: (fit: Fit) => Habits = () => ({}), more: Partial<Stranger> = {}): Row => ({
  plan: { name: 'bills', record: object({ id, ...fields }, ['id', 'name']), sent: object(fields, ['name']) },
  only: ['bills/*'],
  habits,
  ...more,
});
const responding = (path: string, responses: Schema) => ({
  paths: (paths: Paths) => void Object.assign(paths[path]?.['get']?.responses ?? {}, responses),
});
const listing = (show: (item: Item) => Item) => (): Habits => ({
  list: (items) => ({ status: 200, body: items.map(show) }),
});
const recordsAlone = { only: ['bills/records/*'] };

const summary = object({ id: integer, name: text, note: { ...text, description: 'How it begins.' } }, ['id', 'name']);
const withSummaries = responding('/bills', { 200: content({ type: 'array', items: summary }) });

/** A removed record is there for so many looks at it; which status is due then, the document does not say. */
const removedAfter = (looks: number, settleMs: number) =>
  bills(
    () => {
      const left = new Map<string, number>();
      return {
        answer: ({ method, path: [, key = ''] }, items) => {
          if (method === 'DELETE') left.set(key, looks);
          if (method === 'DELETE') return { status: 204 };
          const more = method === 'GET' ? left.get(key) : undefined;
          if (more !== undefined) left.set(key, more - 1);
          if (more === 0) items.splice(0, items.length, ...items.filter((each) => String(each['id']) !== key));
          return undefined;
        },
      };
    },
    {
      ...responding('/bills/{id}', { default: content(object({ message: text })) }),
      only: ['bills/changes/remove'],
      options: { settleMs },
    },
  );

const greatest = (items: readonly Item[]): number => Math.max(100, ...items.map((each) => Number(each['id']))) + 1;
const sequences = { only: ['bills/sequences/*'] };

const noneAs = (type: string) =>
  bills(
    () => ({
      answer: ({ method, path: [, key] }, items) =>
        method === 'GET' && key !== undefined && !items.some((each) => String(each['id']) === key)
          ? { status: 404, text: 'nothing here', headers: { 'Content-Type': type } }
          : undefined,
    }),
    responding('/bills/{id}', {
      404: {
        description: 'None.',
        content: { ...(content(object({ message: text }))['content'] as object), 'text/plain': { schema: text } },
      },
    }),
  );

testStrangers([
  { title: 'a service keeps its records', ...bills() },
  stranger(
    'a list by a schema of its own shows how texts begin',
    bills(
      listing(({ id: key, name: own, note = '' }) => ({ id: key, name: own, note: String(note).slice(0, 3) })),
      withSummaries,
    ),
  ),
  stranger(
    'a list by a schema of its own has another text',
    bills(
      listing(({ id: key, name: own, note }) => ({
        id: key,
        name: own,
        ...(note === undefined ? {} : { note: 'another' }),
      })),
      withSummaries,
    ),
    { told: [/^`note` is not as it was sent in responses of bills_list/] },
  ),
  { title: 'what is removed is gone a little later', ...removedAfter(2, 5000) },
  stranger('what is removed stays', removedAfter(Infinity, 60), {
    told: [/^(?:A deleted record is still in responses|bills_get returns 200 instead of 4XX)/],
  }),
  stranger(
    'a list shows another state than the record has',
    bills(
      listing((item) => (item['state'] === undefined ? item : { ...item, state: 'closed' })),
      recordsAlone,
    ),
    { told: [/^`state` is not as it was sent in responses of bills_list/] },
  ),
  stranger(
    'others create records while some are rejected',
    bills(() => {
      let requests = 0;
      return {
        answer({ method }, items) {
          if (++requests % 3 === 0 && method !== 'DELETE') items.push({ id: greatest(items), name: 'of another' });
          return undefined;
        },
        nextKey: greatest,
      };
    }, sequences),
  ),
  stranger(
    'something is stored of what was rejected',
    bills(
      (fit) => ({
        nextKey: greatest,
        refuse(body, asked, items) {
          const wrong = fit(body, asked);
          if (wrong !== undefined && asked.method === 'POST') items.push({ id: greatest(items), name: 'draft' });
          return wrong;
        },
      }),
      sequences,
    ),
    { told: [/^A rejected record is stored anyway, in responses of bills_get/] },
  ),
  { title: 'an error is in another media type that the contract gives it', ...noneAs('text/plain') },
  { title: 'an error is a text, and labelled JSON', ...noneAs('application/json'), told: [/not JSON/] },
  stranger(
    'a key alone is accepted by the scheme that takes one, where a user and a password come first',
    bills(() => ({ answer: ({ headers }) => (headers['x-key'] === 'any' ? undefined : fail(401)) }), recordsAlone),
    {
      beside: {
        components: {
          securitySchemes: {
            login: { type: 'http', scheme: 'basic' },
            key: { type: 'apiKey', in: 'header', name: 'X-Key' },
          },
        },
        security: [{ login: [] }, { key: [] }],
      },
    },
  ),
]);
