// A service for tests, behind bare node:http, which shares nothing with the mock. A plan says what it keeps; a change spoils one
// thing of it (a mutant), or decides one thing that its contract leaves open (a variant).
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Item } from './judge-record.js';
import { createState, keep, makeSeed, OTHER_TYPE, refuse, UNREADABLE, type Asked, type State } from './state.js';
import type { Collection, ServicePlan } from './plan.js';
import { answerCollection } from './answer-collection.js';
import { answerRecord } from './answer-record.js';
import { serveJson, type Answer, type Asked as Request, type Served } from '../../../support/network/serve-json.js';

/** Starts the service of a plan with some of its habits changed: `tickets:delete-neighbour`, `extra-fields`. */
export function startService(plan: ServicePlan, ...changes: string[]): Promise<Served> {
  const state = createState(plan, new Set(changes));
  let count = 0;
  return serveJson(async (request) => {
    count += 1;
    if (state.has('shared') && count % 12 === 0) writeAsOther(state, count);
    const answered = isTurnedAway(state, count)
      ? { status: 429, body: state.plan.error(429, 'Later'), headers: { 'Retry-After': '0' } }
      : answer(state, request);
    if (state.has('slow')) await sleep(8);
    return wrap(state, request, answered);
  }, plan.base);
}

function wrap({ has, plan }: State, { headers: sent }: Request, answered: Answer): Answer {
  const { status, body, headers } = answered;
  if (body === undefined) return answered;
  const text = Buffer.from(printExactly(body));
  const type = `${status < 400 ? 'application/json' : plan.errorType}${has('charset') ? '; charset=utf-8' : ''}`;
  const isPacked = has('gzip') && String(sent['accept-encoding']).includes('gzip');
  const packing = isPacked ? { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' } : {};
  return { status, body: isPacked ? gzipSync(text) : text, headers: { ...headers, 'Content-Type': type, ...packing } };
}

function isTurnedAway(state: State, count: number): boolean {
  return state.has('rate-limit') && count % 40 === 0;
}

/** Another client creates a record, changes one that it created before, and removes one. */
function writeAsOther(state: State, count: number): void {
  for (const collection of state.plan.collections.filter(({ path }) => path.length === 1)) {
    const all = state.kept.get(collection.name) ?? [];
    const own = all.filter(({ item }) => item['others'] === true);
    if (own[0] !== undefined && count % 24 === 0) all.splice(all.indexOf(own[0]), 1);
    const changed = own.at(-1);
    if (changed !== undefined) {
      Object.assign(changed.item, makeSeed(state, collection, count + 1));
      changed.version += 1;
    }
    keep(state, collection, { ...makeSeed(state, collection, count), others: true }, '');
  }
}

function answer(state: State, request: Request): Answer {
  const { plan } = state;
  const { parts } = request;
  const collection = plan.collections.find(({ path }) => fits(path, parts));
  if (collection === undefined) return refuse(state, 404, 'No such path');
  const has = (change: string): boolean => state.has(`${collection.name}:${change}`);
  if (!isLetIn(state, request, has)) return refuse(state, has('key-403') ? 403 : 401, 'No');
  const { path } = collection;
  const parent = path.length > 1 ? String(parts[1]) : '';
  const key = parts[path.length];
  const body = readBody(request, collection);
  const asked: Asked = { ...request, state, collection, has, parent, key, body };
  const isOutlived = has('outlive') && state.gone.has(`${path[0]}/${parent}`);
  if (path.length > 1 && !has('orphans') && !isOutlived && !isThere(state, collection, parent))
    return refuse(state, 404, 'No such parent');
  const isLacking = (collection.needs ?? []).some((need) => isUnmet(need, asked));
  if (isLacking) return refuse(state, collection.invalid, 'A parameter is missing or wrong');
  return key === undefined ? answerCollection(asked) : answerRecord(asked, key);
}

function readBody({ headers, bytes }: Request, collection: Collection): unknown {
  const type = (headers['content-type'] ?? '').toLowerCase().split(';')[0];
  const text = bytes.toString('utf8');
  if (text === '') return undefined;
  if (collection.takesForms === true && type === 'application/x-www-form-urlencoded') return readForm(text, collection);
  if (type !== 'application/json' && type !== 'application/merge-patch+json') return OTHER_TYPE;
  try {
    return parseExactly(text);
  } catch {
    return UNREADABLE;
  }
}

/** Integers beyond 2^53 keep their digits. */
function printExactly(body: unknown): string {
  const text = JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? `§${value}` : value));
  return text.replaceAll(/"§(\d+)"/g, '$1');
}

function parseExactly(text: string): unknown {
  const marked = text.replaceAll(/(:\s*)(\d{16,})(?=[\s,}\]])/g, '$1"§$2"');
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith('§') ? BigInt(value.slice(1)) : value,
  );
}

function readForm(text: string, { fields }: Collection): Item {
  const entries = [...new URLSearchParams(text)].map(([name, value]) => {
    const type = fields[name]?.type ?? 'text';
    if (type === 'boolean') return [name, value === 'true' ? true : value === 'false' ? false : value];
    return [name, type === 'integer' || type === 'number' ? Number(value) : value];
  });
  return Object.fromEntries(entries) as Item;
}

function fits(path: readonly string[], parts: readonly string[]): boolean {
  const isLong = parts.length === path.length || parts.length === path.length + 1;
  return isLong && path.every((name, index) => name === '*' || name === parts[index]);
}

function isLetIn({ plan }: State, { headers, method, query }: Request, has: (change: string) => boolean): boolean {
  if (has(`no-key:${method}`)) return true;
  if (Array.from(query.keys()).some((name) => has(`no-key-with:${name}`))) return true;
  const logins = has('second-login-refused') ? plan.logins.slice(0, 1) : plan.logins;
  return logins.some(({ header, value }) => {
    const shown = headers[header.toLowerCase()];
    const isPart = has('key-prefix') && String(shown).startsWith(value);
    return shown === value || isPart || (has('any-key') && shown !== undefined);
  });
}

function isThere({ plan, kept }: State, { path }: Collection, parent: string): boolean {
  const of = plan.collections.find(({ name }) => name === path[0]);
  return (kept.get(of?.name ?? '') ?? []).some(({ item }) => String(item[of?.key.name ?? '']) === parent);
}

function isUnmet(
  { in: place, name, values }: NonNullable<Collection['needs']>[number],
  { headers, query, method, key, has }: Asked,
): boolean {
  if (place === 'query' && (method !== 'GET' || key !== undefined)) return false;
  const shown = place === 'header' ? headers[name.toLowerCase()] : (query.get(name) ?? undefined);
  if (shown === undefined) return !has(`not-needed:${name}`);
  return !has(`any:${name}`) && !values.includes(String(shown));
}
