// A service that books rooms, in the style of small teams: pages by number, a filter and a search, PUT with conditions, PATCH as
// a merge patch, and bookings that are made below a room and have an address of their own. It shares nothing with the mock.
import { createHash, randomUUID } from 'node:crypto';
import {
  serveJson,
  type Answer,
  type Asked as Request,
  type Item,
  type Served,
} from '../../../support/network/serve-json.js';
import { findWrong, isTime } from './rooms-rules.js';

export const ROOMS_KEY = 'rooms-token';

interface Service {
  has: (change: string) => boolean;
  rooms: Map<number, Item>;
  bookings: Map<string, Item>;
  next: number;
}

interface Asked extends Request {
  service: Service;
}

/** Starts a service with some of its habits changed. */
export function startRooms(...changes: string[]): Promise<Served> {
  const service = createService(new Set(changes));
  return serveJson((asked) => answer({ ...asked, service }), '/v2');
}

const KINDS = ['meeting', 'phone', 'lab'];
const FIRST_ID = 100;
const SEEDS = 27;

function createService(changes: ReadonlySet<string>): Service {
  const rooms = Array.from({ length: changes.has('empty') ? 0 : SEEDS }, (_, index) => ({
    id: FIRST_ID + index,
    name: `Room ${index}`,
    floor: index % 5,
    kind: KINDS[index % KINDS.length],
    capacity: 2 + index,
    features: [],
    contact: null,
    created_at: '2026-01-01T00:00:00Z',
  }));
  return {
    has: (change) => changes.has(change),
    rooms: new Map(rooms.map((room) => [room.id, room])),
    bookings: new Map(),
    next: FIRST_ID + SEEDS,
  };
}

function fail(status: number, title: string): Answer {
  const headers = { 'Content-Type': 'application/problem+json' };
  return { status, body: { type: 'about:blank', title, status }, headers };
}

function answer(asked: Asked): Answer {
  const { service, method, parts, headers } = asked;
  const [kind, key, part] = parts;
  if (headers.authorization !== `Bearer ${ROOMS_KEY}` && !service.has(`no-key:${method}:${part ?? kind}`))
    return fail(401, 'Who are you?');
  const isJson = /^application\/(?:merge-patch\+)?json/i.test(headers['content-type'] ?? 'application/json');
  if (!isJson) return fail(415, 'Not JSON');
  if (!asked.isReadable) return fail(422, 'Not JSON');
  if (kind === 'bookings' && key !== undefined && part === undefined) return answerBooking(asked, key);
  if (kind !== 'rooms') return fail(404, 'No such path');
  if (key === undefined) return method === 'POST' ? createRoom(asked) : listRooms(asked);
  const room = service.rooms.get(/^\d+$/.test(key) ? Number(key) : -1);
  if (part === 'bookings') return room === undefined ? fail(404, 'No such room') : answerBookings(asked, room);
  return room === undefined ? answerUnknown(asked, key) : answerRoom(asked, room);
}

function listRooms({ service, method, query }: Asked): Answer {
  const { has } = service;
  if (method !== 'GET') return fail(404, 'No such path');
  const [page, size, floor] = [
    readInteger(query, 'page', 1, 1e9) ?? 1,
    readInteger(query, 'per_page', 1, has('maximum-refused') ? 49 : 50) ?? (has('default-20') ? 20 : 10),
    readInteger(query, 'floor', -1e9, 1e9),
  ];
  const [kind, sort, search] = [query.get('kind'), query.get('sort'), query.get('q') ?? ''];
  if (Number.isNaN(page) || Number.isNaN(size) || Number.isNaN(floor)) return fail(422, 'Not such a number');
  if ((kind !== null && !KINDS.includes(kind)) || search.length > 40) return fail(422, 'Not such a filter');
  if (sort !== null && !/^-?(?:name|capacity)$/.test(sort)) return fail(422, 'Not such an order');
  if (sort === '-capacity' && has('sort-crashes')) throw new Error('no such order');
  const found = [...service.rooms.values()].filter(
    (room) =>
      (floor === undefined || room['floor'] === floor || has('floor-ignored')) &&
      (kind === null || room['kind'] === kind) &&
      String(room['name']).toLowerCase().includes(search.toLowerCase()),
  );
  const from = (page - 1) * size - (page > 1 && has('pages-overlap') ? 1 : 0);
  const items = order(found, sort).slice(from, from + size);
  return { status: 200, body: { items, total: has('total-of-page') ? items.length : found.length, page } };
}

function order(rooms: Item[], sort: string | null): Item[] {
  if (sort === null) return rooms;
  const field = sort.replace('-', '');
  const direction = sort.startsWith('-') ? -1 : 1;
  return rooms.toSorted((one, other) => direction * (Number(one[field]) < Number(other[field]) ? -1 : 1));
}

/** `undefined` if there is none, `NaN` if it is none that is allowed. */
function readInteger(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return value < least || value > most ? Number.NaN : value;
}

function isTaken({ rooms }: Service, name: unknown, own?: unknown): boolean {
  return [...rooms.values()].some((room) => room['name'] === name && room['id'] !== own);
}

const fill = (given: unknown): Item => ({ capacity: 4, features: [], contact: null, ...(given as Item) });

function createRoom({ service, body }: Asked): Answer {
  const { has } = service;
  const wrong = findWrong('RoomInput', body);
  if (wrong !== undefined) return fail(422, wrong);
  if (isTaken(service, (body as Item)['name'])) return fail(409, 'There is such a room');
  const id = service.next++;
  const room: Item = { ...fill(body), id, created_at: new Date().toISOString() };
  if (has('default-capacity-1') && !Object.hasOwn(body as Item, 'capacity')) room['capacity'] = 1;
  service.rooms.set(id, room);
  return { status: 201, body: room, headers: { Location: `/v2/rooms/${id}`, ETag: tagOf(room) } };
}

function tagOf(room: Item): string {
  return `"${createHash('sha1').update(JSON.stringify(room)).digest('hex').slice(0, 12)}"`;
}

function answerUnknown({ service: { has }, method, body }: Asked, key: string): Answer {
  if (method === 'PATCH' && has('update-unknown-crashes')) throw new Error('no such room');
  if (method === 'PUT' && has('replace-unknown-200') && findWrong('RoomInput', body) === undefined)
    return { status: 200, body: { ...fill(body), id: Number(key), created_at: new Date().toISOString() } };
  return fail(404, 'No such room');
}

function answerRoom({ service, method, headers, body }: Asked, room: Item): Answer {
  const { has, rooms } = service;
  const id = Number(room['id']);
  const tag = has('tag-fixed') ? '"x"' : tagOf(room);
  if (method === 'GET' && headers['if-none-match'] === tag) return { status: 304, headers: { ETag: tag } };
  if (method === 'GET') return { status: 200, body: room, headers: { ETag: tag } };
  if (method === 'DELETE') return removeRoom(service, id);
  if (method !== 'PUT' && method !== 'PATCH') return fail(404, 'No such path');
  const wanted = headers['if-match'] ?? '*';
  if (method === 'PUT' && wanted !== '*' && wanted !== tagOf(room) && !has('conditions-ignored'))
    return fail(412, 'It has changed');
  const wrong = findWrong(method === 'PUT' ? 'RoomInput' : 'RoomChange', body);
  if (wrong !== undefined && !has(`unchecked:${method}`)) return fail(422, wrong);
  const given = body as Item;
  if (isTaken(service, given['name'], id)) return fail(409, 'There is such a room');
  const isMerged = method === 'PATCH' || has('replace-merges');
  const made: Item = { ...(isMerged ? room : fill({})), ...given, id, created_at: room['created_at'] };
  if (has('update-clears-contact') && method === 'PATCH' && !Object.hasOwn(given, 'contact')) made['contact'] = null;
  if (!has(`change-lost:${method}`)) rooms.set(id, made);
  return { status: 200, body: made };
}

function removeRoom({ has, rooms, bookings }: Service, id: number): Answer {
  if (!has('removal-forgotten')) rooms.delete(id);
  const own = [...bookings].filter(([, booking]) => booking['room_id'] === id && !has('keeps-bookings'));
  for (const [key] of own) bookings.delete(key);
  return { status: 204 };
}

function answerBookings({ service, method, query, body }: Asked, room: Item): Answer {
  const { has, bookings } = service;
  if (method === 'POST') return book(service, room, body);
  const from = query.get('from');
  if (method !== 'GET') return fail(404, 'No such path');
  if (from !== null && !isTime(from)) return fail(422, 'Not a time');
  const own = [...bookings.values()].filter((each) => each['room_id'] === room['id'] || has('leaks-bookings'));
  return { status: 200, body: own.filter(({ starts_at: at }) => from === null || String(at) >= from) };
}

/** Nobody can book a room for a time that has passed: a rule that no contract states. */
function book({ has, bookings }: Service, room: Item, body: unknown): Answer {
  const wrong = findWrong('BookingInput', body);
  if (wrong !== undefined && !has('unchecked:bookings')) return fail(422, wrong);
  const { title, starts_at: at, minutes, guests = [] } = body as Item;
  if (Date.parse(String(at)) < Date.now()) return fail(422, 'That is over');
  const id = randomUUID();
  const booking = { id, room_id: room['id'], title, starts_at: at, minutes: has('minutes-off') ? 5 : minutes, guests };
  if (!has('booking-lost')) bookings.set(id, booking);
  return { status: 201, body: booking };
}

function answerBooking({ service: { has, bookings }, method }: Asked, key: string): Answer {
  const booking = bookings.get(key);
  if (booking === undefined) return fail(has('unknown-booking-400') ? 400 : 404, 'No such booking');
  if (method === 'GET') return { status: 200, body: booking };
  if (method !== 'DELETE') return fail(404, 'No such path');
  if (!has('cancels-nothing')) bookings.delete(key);
  return { status: 204 };
}
