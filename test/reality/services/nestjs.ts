// As a NestJS application with its ValidationPipe: unknown members are refused, 400 has a list of what is wrong, and DELETE
// answers what it removed.
import { isItem, keepTables, ownRecords, readWhole } from '../support/kit.js';
import type { Answer, Asked, Has, Item, Kept, Program } from '../support/kit.js';
import { words } from '../../support/words.js';

const BREEDS = ['persian', 'siamese', 'tabby'];
const MEMBERS = new Set(['name', 'age', 'breed', 'tags', 'chip', 'owner']);
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const nestjs: Program = {
  name: 'nestjs',
  base: '',
  apiKey: 'nest.jwt.token',
  habits: words`
    whole-ages open-delete bad-tags-crash patch-unchecked clamps-limit filter-leaks total-off unique-chip chip-lost
    checks-key each-12th-fetch-404 patch-replaces
  `,
  start: (has) => keepTables(has, { cats: ownRecords(15, ownCat) }, answer),
};

function ownCat(id: number): Item {
  const rest = { tags: ['own'], chip: null, owner: { name: 'Us' }, createdAt: '2026-02-03T04:05:06.000Z' };
  return { id, name: `Cat ${id}`, age: id, breed: BREEDS[id % 3], ...rest };
}

type Nest = Kept<'cats'>;

function fail(statusCode: number, message: string | string[], error = 'Not Found'): Answer {
  return { status: statusCode, body: { statusCode, message, error } };
}

const refuse = (...message: string[]): Answer => fail(400, message, 'Bad Request');
const missing = (key: string): Answer => fail(404, `Cat #${key} not found`);

function answer(service: Nest, asked: Asked): Answer {
  const { has } = service;
  const { method, path, parts, headers, body } = asked;
  const [kind, key, more] = parts;
  if (kind !== 'cats' || more !== undefined) return fail(404, `Cannot ${method} ${path}`);
  const isOpen = has('open-delete') && method === 'DELETE';
  if (headers.authorization !== 'Bearer nest.jwt.token' && !isOpen)
    return { status: 401, body: { statusCode: 401, message: 'Unauthorized' } };
  if (method === 'POST' || method === 'PATCH') {
    const wrong = isItem(body) ? listWrong(body, method === 'POST', has) : ['Unexpected token in JSON'];
    const isCrash = has('bad-tags-crash') && wrong.some((text) => text.includes('tags'));
    if (isCrash) throw new Error('tags.map is not a function');
    if (wrong.length > 0 && !(has('patch-unchecked') && method === 'PATCH' && isItem(body))) return refuse(...wrong);
  }
  if (key !== undefined) return answerCat(service, asked, key);
  if (method === 'GET') return listCats(service, asked);
  return method === 'POST' ? createCat(service, body as Item) : missing('');
}

function listWrong(given: Item, isWhole: boolean, has: Has): string[] {
  const { name, age, breed, tags, chip = null, owner = null } = given;
  const unknown = Object.keys(given).filter((member) => !MEMBERS.has(member));
  const wrong = unknown.map((member) => `property ${member} should not exist`);
  if ((isWhole || name !== undefined) && (typeof name !== 'string' || name === ''))
    wrong.push('name should not be empty');
  const isAge = typeof age === 'number' && age >= 0 && (Number.isInteger(age) || !has('whole-ages'));
  if ((isWhole || age !== undefined) && !isAge) wrong.push('age must be an integer number');
  if (breed !== undefined && !BREEDS.includes(breed as string)) wrong.push('breed must be one of the following values');
  if (tags !== undefined && !(Array.isArray(tags) && tags.every((each) => typeof each === 'string')))
    wrong.push('each value in tags must be a string');
  if (chip !== null && !(typeof chip === 'string' && UUID.test(chip))) wrong.push('chip must be a UUID');
  if (owner !== null && !(isItem(owner) && typeof owner['name'] === 'string'))
    wrong.push('owner.name must be a string');
  if (isItem(owner) && Object.keys(owner).some((member) => member !== 'name'))
    wrong.push('owner.property should not exist');
  return wrong;
}

function listCats({ has, cats }: Nest, { query }: Asked): Answer {
  const [limit, offset] = [readWhole(query, 'limit') ?? 10, readWhole(query, 'offset') ?? 0];
  const breed = query.get('breed');
  if (!(limit >= 1) || (limit > 50 && !has('clamps-limit'))) return refuse('limit must not be greater than 50');
  if (!(offset >= 0)) return refuse('offset must not be less than 0');
  if (breed !== null && !BREEDS.includes(breed)) return refuse('breed must be one of the following values');
  const found = [...cats.shown.values()].filter(
    (row) => breed === null || row['breed'] === breed || (has('filter-leaks') && row['breed'] === 'tabby'),
  );
  const items = found.slice(offset, offset + Math.min(limit, 50));
  return { status: 200, body: { items, total: has('total-off') ? found.length + 1 : found.length } };
}

function createCat({ has, cats }: Nest, given: Item): Answer {
  const { name, age, breed = 'tabby', tags = [], chip = null, owner = null } = given;
  if (has('unique-chip') && chip !== null && [...cats.rows.values()].some((row) => row['chip'] === chip))
    return refuse('chip is taken');
  const id = cats.take();
  const made = { id, name, age, breed, tags, chip, owner, createdAt: new Date().toISOString() };
  return { status: 201, body: cats.put(id, has('chip-lost') ? { ...made, chip: null } : made) };
}

function answerCat({ has, cats, isTwelfth }: Nest, { method, body }: Asked, key: string): Answer {
  // +id, as the tutorial has it: what is no number is found nowhere.
  const row = (method === 'GET' ? cats.shown : cats.rows).get(has('checks-key') ? key : String(Number(key)));
  if (has('checks-key') && !/^\d+$/.test(key)) return refuse('Validation failed (numeric string is expected)');
  if (row === undefined) return missing(key);
  if (method === 'GET' && has('each-12th-fetch-404') && isTwelfth()) return missing(key);
  if (method === 'GET') return { status: 200, body: row };
  if (method === 'DELETE') {
    cats.remove(row['id']);
    return { status: 200, body: row };
  }
  if (method !== 'PATCH') return missing(key);
  const old = has('patch-replaces') ? { ...row, tags: [], owner: null } : row;
  return { status: 200, body: cats.put(row['id'], { ...old, ...(body as Item) }) };
}
