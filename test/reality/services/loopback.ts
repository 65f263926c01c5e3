// As LoopBack 4: a query is JSON in `filter`, changes answer 204, one request changes many at once, and whoever removes what is
// not there has nothing to complain about.
import { isItem, isTime, keepTables, ownRecords } from '../support/kit.js';
import type { Answer, Asked, Item, Kept, Program } from '../support/kit.js';
import { words } from '../../support/words.js';

const MEMBERS = new Set(['id', 'title', 'desc', 'isComplete', 'priority', 'remindAt']);

export const loopback: Program = {
  name: 'loopback',
  base: '',
  apiKey: 'none',
  habits: words`
    put-unchecked count-is-text newest-first lists-lose-last empty-desc-crashes priority-rounded odd-key-404
    each-12th-fetch-404 patch-lost
  `,
  start: (has) => keepTables(has, { todos: ownRecords(18, ownTodo) }, answer),
};

function ownTodo(id: number): Item {
  return { id, title: `Todo ${id}`, desc: 'Ours', isComplete: id % 2 === 0, priority: id % 5 };
}

type LoopBack = Kept<'todos'>;

function refuse(statusCode: number, name: string, message: string): Answer {
  return { status: statusCode, body: { error: { statusCode, name, message } } };
}

const missing = (key: string): Answer => refuse(404, 'Error', `Entity not found: Todo with id ${key}`);

function answer(service: LoopBack, asked: Asked): Answer {
  const { has, todos } = service;
  const { method, parts, query, body } = asked;
  const [kind, key, more] = parts;
  if (kind !== 'todos' || more !== undefined) return refuse(404, 'NotFoundError', 'Endpoint not found');
  if (['POST', 'PUT', 'PATCH'].includes(method)) {
    const wrong = isItem(body) ? findWrong(body, method) : 'body';
    if (wrong !== undefined && !(has('put-unchecked') && method === 'PUT' && isItem(body)))
      return refuse(422, 'UnprocessableEntityError', `${wrong} is not valid`);
  }
  const where = readJson(query.get(key === 'count' || method === 'PATCH' ? 'where' : 'filter'));
  if (where === undefined && key === undefined) return refuse(400, 'SyntaxError', 'Malformed filter');
  if (key === 'count' && method === 'GET') {
    if (where === undefined) return refuse(400, 'SyntaxError', 'Malformed where');
    const count = [...todos.shown.values()].filter((row) => matches(row, where)).length;
    return { status: 200, body: { count: has('count-is-text') ? `${count}` : count } };
  }
  if (key !== undefined) return answerTodo(service, asked, key);
  if (method === 'GET') return listTodos(service, where ?? {});
  if (method === 'POST') return createTodo(service, body as Item);
  if (method !== 'PATCH') return refuse(404, 'NotFoundError', 'Endpoint not found');
  const found = [...todos.rows].filter(([, row]) => matches(row, where ?? {}));
  for (const [id, row] of found) todos.put(id, { ...row, ...(body as Item) });
  return { status: 200, body: { count: found.length } };
}

/** `undefined` if it is not an object of JSON. */
function readJson(text: string | null): Item | undefined {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isItem(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const matches = (row: Item, where: Item): boolean =>
  Object.entries(where).every(([field, value]) => row[field] === value);

function findWrong(given: Item, method: string): string | undefined {
  const { id, title, desc, isComplete, priority, remindAt } = given;
  const unknown = Object.keys(given).find((member) => !MEMBERS.has(member));
  if (unknown !== undefined) return unknown;
  if (id !== undefined && (method === 'POST' || !Number.isInteger(id))) return 'id';
  if ((method !== 'PATCH' || title !== undefined) && typeof title !== 'string') return 'title';
  if (desc !== undefined && typeof desc !== 'string') return 'desc';
  if (isComplete !== undefined && typeof isComplete !== 'boolean') return 'isComplete';
  if (priority !== undefined && typeof priority !== 'number') return 'priority';
  return remindAt === undefined || isTime(remindAt) ? undefined : 'remindAt';
}

function listTodos({ has, todos }: LoopBack, filter: Item): Answer {
  const { limit = Infinity, offset = 0, skip = offset, where = {} } = filter;
  const isPage = Number(limit) >= 0 && Number(skip) >= 0 && isItem(where);
  if (!isPage) return refuse(422, 'UnprocessableEntityError', 'The filter is not valid');
  const found = [...todos.shown.values()].filter((row) => matches(row, where));
  const page = (has('newest-first') ? found.toReversed() : found).slice(Number(skip), Number(skip) + Number(limit));
  return { status: 200, body: has('lists-lose-last') ? page.slice(0, -1) : page };
}

function createTodo({ has, todos }: LoopBack, given: Item): Answer {
  if (has('empty-desc-crashes') && given['desc'] === '') throw new Error('ER_BAD_NULL_ERROR');
  const id = todos.take();
  const isRounded = has('priority-rounded') && typeof given['priority'] === 'number';
  return { status: 200, body: todos.put(id, { id, ...given, ...(isRounded ? { priority: 1 } : {}) }) };
}

function answerTodo({ has, todos, isTwelfth }: LoopBack, { method, body }: Asked, key: string): Answer {
  if (!/^-?\d+$/.test(key))
    return has('odd-key-404') ? missing(key) : refuse(400, 'BadRequestError', 'Invalid data for id');
  const row = (method === 'GET' ? todos.shown : todos.rows).get(key);
  if (method === 'DELETE') todos.remove(key);
  if (method === 'DELETE') return { status: 204 };
  if (row === undefined) return missing(key);
  if (method === 'GET' && has('each-12th-fetch-404') && isTwelfth()) return missing(key);
  if (method === 'GET') return { status: 200, body: row };
  if (method !== 'PUT' && method !== 'PATCH') return refuse(404, 'NotFoundError', 'Endpoint not found');
  if (has('patch-lost') && method === 'PATCH') return { status: 204 };
  const { id: _id, ...given } = body as Item;
  todos.put(key, method === 'PUT' ? { id: row['id'], ...given } : { ...row, ...given });
  return { status: 204 };
}
