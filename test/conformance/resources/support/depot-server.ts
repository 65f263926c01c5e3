// A depot whose tokens have scopes, and whose list has many parameters with rules of their own. It shares nothing with the mock.
import { serveJson, type Answer, type Asked, type Served } from '../../../support/network/serve-json.js';
import { judgeParcel, judgeQuery, type Parcel } from './depot-rules.js';

export const DEPOT_TOKENS = {
  full: 'depot-token-with-all-scopes',
  none: 'depot-token-without-any-scope',
  reader: 'depot-token-that-may-read',
  writer: 'depot-token-that-may-write',
} as const;
export const STAFF_KEY = 'depot-staff-key-of-the-run';

const SCOPES: Readonly<Record<string, readonly string[]>> = {
  [DEPOT_TOKENS.full]: ['read', 'write', 'withdraw'],
  [DEPOT_TOKENS.none]: [],
  [DEPOT_TOKENS.reader]: ['read'],
  [DEPOT_TOKENS.writer]: ['write'],
};

type Depot = { has: (change: string) => boolean; parcels: (Parcel & { id: number })[]; next: number };

/** Starts a depot with some of its habits changed: `no-scope:create`, `hides`. */
export function startDepot(...changes: string[]): Promise<Served> {
  const depot: Depot = { has: (change) => changes.includes(change), parcels: [], next: 100 };
  for (let index = 0; index < 6; index++) keep(depot, { carrier: `Old ${index}`, state: 'waiting', weight: index });
  return serveJson((asked) => answer(depot, asked), '/depot');
}

const fail = (status: number, problem: string): Answer => ({ status, body: { problem } });

function keep(depot: Depot, parcel: Parcel): Parcel & { id: number } {
  const kept = { ...parcel, id: (depot.next += 1), state: parcel['state'] ?? 'waiting' };
  depot.parcels.push(kept);
  return kept;
}

/** The scopes that each operation asks for; any list suffices. */
const NEEDED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  list: [['read']],
  create: [['write']],
  get: [['read'], ['write']],
  update: [['read', 'write']],
  remove: [['withdraw']],
};

const ROLES: Readonly<Record<string, string>> = { POST: 'create', PATCH: 'update', DELETE: 'remove' };

function answer(depot: Depot, asked: Asked): Answer {
  const { method, query, body } = asked;
  const [place, key] = asked.parts;
  if (place !== 'parcels') return fail(404, 'No such path');
  const role = ROLES[method] ?? (key === undefined ? 'list' : 'get');
  const refused = refuse(depot, asked, role);
  if (refused !== undefined) return refused;
  if (!asked.isReadable) return fail(400, 'Not JSON');
  if (role === 'list') return list(depot, query);
  if (role === 'create') return create(depot, body);
  return answerOne(depot, { role, key: Number(key), body });
}

/** Who is unknown gets 401, and who may not gets 403. */
function refuse({ has }: Depot, { headers }: Asked, role: string): Answer | undefined {
  if (role === 'list' && headers['x-staff-key'] === STAFF_KEY) return undefined;
  const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const own = Object.hasOwn(SCOPES, token) ? SCOPES[token] : undefined;
  if (own === undefined) return fail(401, 'Who are you?');
  const scopes = has('write-includes-read') && own.includes('write') ? [...own, 'read'] : own;
  const suffices = (NEEDED[role] ?? []).some((needed) => needed.every((scope) => scopes.includes(scope)));
  const isOpen = has(`no-scope:${role}`) || (has(`any-scope:${role}`) && scopes.length > 0) || has('no-scopes');
  if (suffices || isOpen) return undefined;
  for (const status of [409, 500]) if (has(`scope-${status}:${role}`)) return fail(status, 'Oh');
  if (has('hides') && role !== 'list' && role !== 'create') return fail(404, 'No such parcel');
  return fail(has('all-401') ? 401 : 403, 'You may not');
}

function list({ has, parcels }: Depot, query: URLSearchParams): Answer {
  const wrong = judgeQuery(query, has);
  if (wrong !== undefined) return fail(400, wrong);
  const limit = Number(query.get('limit') ?? 20);
  const offset = Number(query.get('offset') ?? 0);
  const states = query.getAll('state').flatMap((each) => each.split(','));
  const fragile = query.get('fragile');
  const found = parcels
    .filter(({ carrier }) => query.get('carrier') === null || carrier === query.get('carrier'))
    .filter(({ state }) => states.length === 0 || states.includes(String(state)))
    .filter((parcel) => fragile === null || (parcel['fragile'] === true) === (fragile === 'true'));
  return { status: 200, body: found.toReversed().slice(offset, offset + limit) };
}

function create(depot: Depot, body: unknown): Answer {
  const wrong = judgeParcel(body, depot.has, false);
  return wrong === undefined ? { status: 201, body: keep(depot, body as Parcel) } : fail(400, wrong);
}

function answerOne(depot: Depot, { role, key, body }: { role: string; key: number; body: unknown }): Answer {
  const found = depot.parcels.find(({ id }) => id === key);
  if (found === undefined) return fail(404, 'No such parcel');
  if (role === 'get') return { status: 200, body: found };
  if (role === 'remove') {
    depot.parcels.splice(depot.parcels.indexOf(found), 1);
    return { status: 204 };
  }
  const wrong = judgeParcel(body, depot.has, true);
  if (wrong !== undefined) return fail(400, wrong);
  Object.assign(found, body, { id: key });
  return { status: 200, body: found };
}
