// As WireMock: keys are UUIDs that a client may choose, the newest stands first in lists, 404 has no body, and one request
// away from the records there is another that removes all of them.
import { randomUUID } from 'node:crypto';
import { isItem, keepTables, readWhole } from '../support/kit.js';
import type { Answer, Asked, Item, Kept, Program } from '../support/kit.js';
import { words } from '../../support/words.js';

const MEMBERS = new Set(['id', 'uuid', 'name', 'request', 'response', 'priority', 'persistent', 'metadata']);
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const wiremock: Program = {
  name: 'wiremock',
  base: '/__admin',
  apiKey: 'none',
  habits: words`
    clamps-at-20 pages-overlap total-of-page empty-metadata-crashes stores-refused taken-id-replaces location
    odd-key-400 each-12th-fetch-404 put-merges
  `,
  start: (has) => {
    const owned = Array.from({ length: 31 }, (_, index) => ownMapping(index));
    return keepTables(has, { mappings: Object.fromEntries(owned.map((row) => [row.id, row])) }, answer);
  },
};

type WireMock = Kept<'mappings'>;

function ownMapping(index: number): Item & { id: string } {
  const id = randomUUID();
  const request = { method: 'GET', url: `/own/${index}` };
  return { id, uuid: id, name: `own ${index}`, request, response: { status: 200 } };
}

function refuse(detail: string): Answer {
  return { status: 422, body: { errors: [{ code: 10, title: 'Error parsing JSON', detail }] } };
}

function answer(service: WireMock, asked: Asked): Answer {
  const { mappings } = service;
  const { method, parts, body } = asked;
  const [kind, key, more] = parts;
  if (kind !== 'mappings' || more !== undefined) return { status: 404 };
  if (method === 'POST' && key === 'reset') {
    for (const id of mappings.rows.keys()) mappings.remove(id);
    return { status: 200 };
  }
  if ((method === 'POST' || method === 'PUT') && !isItem(body)) return refuse('no object');
  if (key !== undefined) return answerMapping(service, asked, key);
  if (method === 'GET') return listMappings(service, asked);
  if (method === 'POST') return createMapping(service, body as Item);
  if (method !== 'DELETE') return { status: 404 };
  for (const id of mappings.rows.keys()) mappings.remove(id);
  return { status: 200 };
}

function listMappings({ has, mappings }: WireMock, { query }: Asked): Answer {
  const rows = [...mappings.shown.values()].toReversed();
  const [limit = rows.length, offset = 0] = [readWhole(query, 'limit'), readWhole(query, 'offset')];
  if (Number.isNaN(limit + offset)) return { status: 400, body: { errors: [{ code: 10, title: 'Not a number' }] } };
  const most = has('clamps-at-20') ? Math.min(limit, 20) : limit;
  const from = Math.max(0, offset - (has('pages-overlap') && offset > 0 ? 1 : 0));
  const page = rows.slice(from, from + Math.max(0, most));
  return { status: 200, body: { mappings: page, meta: { total: has('total-of-page') ? page.length : rows.length } } };
}

function findWrong(given: Item): string | undefined {
  const { id, uuid, name, request, response, priority, persistent, metadata } = given;
  const unknown = Object.keys(given).find((member) => !MEMBERS.has(member));
  if (unknown !== undefined) return `Unrecognized field "${unknown}"`;
  if ([id, uuid].some((each) => each !== undefined && !(typeof each === 'string' && UUID.test(each)))) return 'id';
  if (name !== undefined && typeof name !== 'string') return 'name';
  if (!isItem(request) || !isMethod(request['method']) || typeof request['url'] !== 'string') return 'request';
  if (!isItem(response) || !isStatus(response['status']) || !isText(response['body'])) return 'response';
  if (priority !== undefined && !(Number.isInteger(priority) && Number(priority) >= 1)) return 'priority';
  if (persistent !== undefined && typeof persistent !== 'boolean') return 'persistent';
  return metadata === undefined || isItem(metadata) ? undefined : 'metadata';
}

const isMethod = (value: unknown): boolean => ['ANY', 'GET', 'POST', 'PUT', 'DELETE'].includes(value as string);
const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
const isStatus = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 100 && Number(value) < 600;

function createMapping({ has, mappings }: WireMock, given: Item): Answer {
  if (has('empty-metadata-crashes') && isItem(given['metadata']) && Object.keys(given['metadata']).length === 0)
    throw new Error('empty');
  const wrong = findWrong(given);
  if (wrong !== undefined && has('stores-refused')) {
    const stored = { ...ownMapping(0), name: 'refused' };
    mappings.put(stored.id, stored);
  }
  if (wrong !== undefined) return refuse(wrong);
  const id = (typeof given['id'] === 'string' ? given['id'] : randomUUID()).toLowerCase();
  if (mappings.rows.has(id) && !has('taken-id-replaces')) return refuse('ID already exists');
  const headers: Record<string, string> = has('location') ? { Location: `/__admin/mappings/${id}` } : {};
  return { status: 201, body: mappings.put(id, { ...given, id, uuid: id }), headers };
}

function answerMapping({ has, mappings, isTwelfth }: WireMock, { method, body }: Asked, key: string): Answer {
  if (!UUID.test(key))
    return has('odd-key-400') ? { status: 400, body: { errors: [{ code: 10, title: 'No UUID' }] } } : { status: 404 };
  const id = key.toLowerCase();
  const row = (method === 'GET' ? mappings.shown : mappings.rows).get(id);
  if (row === undefined) return { status: 404 };
  if (method === 'GET' && has('each-12th-fetch-404') && isTwelfth()) return { status: 404 };
  if (method === 'GET') return { status: 200, body: row };
  if (method === 'DELETE') mappings.remove(id);
  if (method === 'DELETE') return { status: 200 };
  if (method !== 'PUT') return { status: 404 };
  const wrong = findWrong(body as Item);
  if (wrong !== undefined) return refuse(wrong);
  const merged = has('put-merges') ? row : {};
  return { status: 200, body: mappings.put(id, { ...merged, ...(body as Item), id, uuid: id }) };
}
