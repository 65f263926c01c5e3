// As a FastAPI application by its tutorial: 422 with a list of what is wrong, null for what is not set, unknown members passed
// over, and a flag that includes more.
import { isItem, keepTables, ownRecords, readWhole } from '../support/kit.js';
import type { Answer, Asked, Item, Kept, Program } from '../support/kit.js';
import { words } from '../../support/words.js';

const STATUSES = ['active', 'resting'];

export const fastapi: Program = {
  name: 'fastapi',
  base: '',
  apiKey: 'none',
  habits: words`
    clamps-limit resting-crashes filter-keeps-null short-pages takes-any-age age-is-text each-12th-fetch-404
    clears-powers leaks-secret
  `,
  start: (has) => keepTables(has, { heroes: ownRecords(40, ownHero) }, answer),
};

function ownHero(id: number): Item {
  const [age, status] = [id % 3 === 0 ? null : 20 + id, id % 4 === 0 ? 'active' : null];
  return { id, name: `Hero ${id}`, age, status, retired: id % 5 === 0, powers: [], secret_name: 'own' };
}

type FastApi = Kept<'heroes'>;

function refuse(...loc: (string | number)[]): Answer {
  return { status: 422, body: { detail: [{ type: 'value_error', loc, msg: 'Input should be valid', input: null }] } };
}

const missing = (): Answer => ({ status: 404, body: { detail: 'Hero not found' } });

const show = ({ secret_name: _secret, ...row }: Item): Item => row;

function answer(service: FastApi, asked: Asked): Answer {
  const { method, parts, body } = asked;
  const [kind, key, more] = parts;
  if (kind !== 'heroes' || more !== undefined) return { status: 404, body: { detail: 'Not Found' } };
  if ((method === 'POST' || method === 'PATCH') && !isItem(body)) return refuse('body');
  if (key !== undefined) return answerHero(service, asked, key);
  if (method === 'GET') return listHeroes(service, asked);
  return method === 'POST'
    ? createHero(service, body as Item)
    : { status: 405, body: { detail: 'Method Not Allowed' } };
}

/** As Pydantic reads a flag. */
function readFlag(text: string | null): boolean | undefined {
  if (text === null || /^(?:0|false|off|no|f|n)$/i.test(text)) return false;
  return /^(?:1|true|on|yes|t|y)$/i.test(text) ? true : undefined;
}

function listHeroes({ has, heroes }: FastApi, { query }: Asked): Answer {
  const [offset, limit] = [readWhole(query, 'offset') ?? 0, readWhole(query, 'limit') ?? 100];
  const [retired, status] = [readFlag(query.get('retired')), query.get('status')];
  if (Number.isNaN(offset) || offset < 0) return refuse('query', 'offset');
  if (Number.isNaN(limit) || limit < 1 || limit > 100) {
    if (!has('clamps-limit') || Number.isNaN(limit)) return refuse('query', 'limit');
  }
  if (retired === undefined) return refuse('query', 'retired');
  if (status !== null && !STATUSES.includes(status)) return refuse('query', 'status');
  if (status === 'resting' && has('resting-crashes')) throw new Error('no such column');
  const found = [...heroes.shown.values()].filter(
    (row) =>
      (retired || row['retired'] !== true) &&
      (status === null || row['status'] === status || (has('filter-keeps-null') && row['status'] === null)),
  );
  const most = Math.max(1, Math.min(limit, has('short-pages') ? 15 : 100));
  return { status: 200, body: found.slice(offset, offset + most).map(show) };
}

function findWrong(given: Item): string | undefined {
  const { name, age = null, status = null, retired, powers, secret_name: secret } = given;
  if (name !== undefined && (typeof name !== 'string' || Array.from(name).length > 80)) return 'name';
  if (age !== null && !(Number.isInteger(age) && Number(age) >= 0)) return 'age';
  if (status !== null && !STATUSES.includes(status as string)) return 'status';
  if (retired !== undefined && typeof retired !== 'boolean') return 'retired';
  if (powers !== undefined && !(Array.isArray(powers) && powers.every((each) => typeof each === 'string')))
    return 'powers';
  return secret === undefined || typeof secret === 'string' ? undefined : 'secret_name';
}

function createHero({ has, heroes }: FastApi, given: Item): Answer {
  const { name, age = null, status = null, retired = false, powers = [], secret_name } = given;
  const wrong = findWrong(given);
  if (wrong !== undefined && !(wrong === 'age' && has('takes-any-age'))) return refuse('body', wrong);
  if (name === undefined) return refuse('body', 'name');
  if (secret_name === undefined) return refuse('body', 'secret_name');
  const id = heroes.take();
  const shown = has('age-is-text') && typeof age === 'number' ? String(age) : age;
  const made = { id, name, age: shown, status, retired, powers, secret_name };
  heroes.put(id, made);
  return { status: 200, body: show(made) };
}

function answerHero({ has, heroes, isTwelfth }: FastApi, { method, body }: Asked, key: string): Answer {
  if (!/^[+-]?\d+$/.test(key.trim())) return refuse('path', 'hero_id');
  const id = Number(key);
  const row = (method === 'GET' ? heroes.shown : heroes.rows).get(String(id));
  if (row === undefined) return missing();
  if (method === 'GET' && has('each-12th-fetch-404') && isTwelfth()) return missing();
  if (method === 'GET') return { status: 200, body: show(row) };
  if (method === 'DELETE') heroes.remove(id);
  if (method === 'DELETE') return { status: 200, body: { ok: true } };
  if (method !== 'PATCH') return { status: 405, body: { detail: 'Method Not Allowed' } };
  const { name, age, status, retired, powers, secret_name } = body as Item;
  const given = Object.fromEntries(
    Object.entries({ name, age, status, retired, powers, secret_name }).filter(([, value]) => value !== undefined),
  );
  const wrong = findWrong(given);
  if (wrong !== undefined) return refuse('body', wrong);
  const made = heroes.put(id, { ...row, ...(has('clears-powers') ? { powers: [] } : {}), ...given });
  return { status: 200, body: has('leaks-secret') ? made : show(made) };
}
