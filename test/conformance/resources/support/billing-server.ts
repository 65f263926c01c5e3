// A billing service in the style of large public APIs: prefixed keys, a cursor that is the last key of the page, lists that are no
// longer than it likes, times that move by themselves, 202 for what is removed. It shares nothing with the mock.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  serveJson,
  type Answer,
  type Asked as Request,
  type Item,
  type Served,
} from '../../../support/network/serve-json.js';
import { findWrong, takeFields, type Kind } from './billing-rules.js';

export const BILLING_KEY = 'sk_test_of_the_run';

interface Service {
  has: (change: string) => boolean;
  customers: Item[];
  invoices: Item[];
  preferences: Map<string, Item>;
  gone: number;
  next: number;
}

interface Asked extends Request {
  service: Service;
  kind: Kind;
  key: string | undefined;
}

/** Starts a service with some of its habits changed. */
export function startBilling(...changes: string[]): Promise<Served> {
  const service = createService(new Set(changes));
  return serveJson(async (asked) => {
    if (service.has('slow')) await sleep(8);
    return answer(service, asked);
  }, '/v1');
}

function createService(changes: ReadonlySet<string>): Service {
  const has = (change: string): boolean => changes.has(change);
  const service: Service = { has, customers: [], invoices: [], preferences: new Map(), gone: 0, next: 36 ** 5 };
  for (let index = 0; index < (has('empty') ? 0 : has('many') ? 90 : 7); index++) {
    const currency = ['chf', 'eur', 'usd'][index % 3];
    const customer = keep(service, 'customers', { name: `Old ${index}`, currency, tax_exempt: index % 2 === 0 });
    const lines = [{ label: 'Work', amount: 100 + index }];
    keep(service, 'invoices', { customer: customer['id'], lines, paid: index % 2 === 0 });
  }
  return service;
}

function keep(service: Service, kind: Kind, given: Item): Item {
  const { has } = service;
  const id = `${kind === 'customers' ? 'cus' : 'in'}_${(service.next += has('random-keys') ? 977 : 1).toString(36)}`;
  const times = { updated_at: new Date().toISOString() };
  const made: Item =
    kind === 'customers'
      ? {
          id,
          object: 'customer',
          created: Math.floor(Date.now() / 1000),
          balance: 0,
          ...times,
          ...normalise(given, has),
        }
      : { id, paid: has('default-paid'), ...times, ...normalise(given, has) };
  service[kind].push(made);
  return made;
}

/** What a service may make of a text: the contract does not say that it keeps its case, or the blanks around it. */
function normalise(given: Item, has: Service['has']): Item {
  const made = { ...given };
  const change = (name: string, make: (text: string) => string): void => {
    if (typeof made[name] === 'string') made[name] = make(made[name]);
  };
  if (has('upper-case-country')) change('country', (text) => text.toUpperCase());
  if (has('lower-case-email')) change('email', (text) => text.toLowerCase());
  if (has('trimmed')) for (const name of ['name', 'description', 'memo']) change(name, (text) => text.trim());
  if (has('name-cut')) change('name', (text) => text.slice(0, 5));
  if (has('loses:memo')) delete made['memo'];
  if (has('loses:tax_exempt')) delete made['tax_exempt'];
  return made;
}

function show({ has, gone }: Service, kind: Kind, item: Item): Item {
  const shown: Item = { ...item };
  if (kind === 'invoices') {
    const lines = (item['lines'] ?? []) as { amount: unknown }[];
    shown['total'] = lines.reduce((sum, { amount }) => sum + Number(amount), 0);
  }
  if (has('moving-times')) shown['updated_at'] = new Date(Date.now() + gone).toISOString();
  if (has('other-times')) shown['updated_at'] = String(shown['updated_at']).replace('Z', '+00:00');
  if (has('extra-fields')) Object.assign(shown, { livemode: false, url: '/x' });
  if (has('total-as-text') && kind === 'invoices') shown['total'] = String(shown['total']);
  if (has('created-missing')) delete shown['created'];
  if (has('key-without-prefix')) shown['id'] = String(item['id']).slice(4);
  return shown;
}

function fail(status: number, message: string): Answer {
  return { status, body: { error: { type: 'invalid_request_error', message } } };
}

function answer(service: Service, request: Request): Answer {
  const { method, parts, headers } = request;
  const [kind, key, part] = parts;
  if (kind !== 'customers' && kind !== 'invoices') return fail(404, 'No such path');
  const isRight = headers.authorization === `Bearer ${BILLING_KEY}` || service.has(`no-key:${method}:${kind}`);
  if (!isRight) return fail(401, 'No such key');
  if (!request.isReadable) return fail(400, 'Not JSON');
  const asked: Asked = { ...request, service, kind, key };
  if (part === 'preferences') return answerPreferences(asked);
  if (key !== undefined) return answerOne(asked, key);
  if (method === 'POST') return create(asked);
  if (method !== 'GET') return fail(405, 'Not here');
  return kind === 'customers' ? listCustomers(asked) : listInvoices(asked);
}

function create({ service, kind, body }: Asked): Answer {
  const { has } = service;
  const wrong = findWrong(kind, body, { has, isPart: false }) ?? findLost(service, body);
  if (wrong !== undefined) return fail(400, wrong);
  const made = keep(service, kind, takeFields(kind, body));
  if (has(`twice:${kind}`)) service[kind].push({ ...made, id: `${String(made['id'])}x` });
  if (has(`lost:${kind}`)) service[kind].pop();
  return { status: kind === 'customers' ? 200 : 201, body: show(service, kind, made) };
}

function findLost({ customers }: Service, body: unknown): string | undefined {
  const { customer } = (body ?? {}) as Item;
  return customer === undefined || customers.some(({ id }) => id === customer) ? undefined : 'customer';
}

function listCustomers({ service, query }: Asked): Answer {
  const { has } = service;
  const asked = Number(query.get('limit') ?? 10);
  if (!Number.isInteger(asked) || asked < 1) return fail(400, 'limit');
  const currency = query.get('currency');
  if (currency !== null && !['chf', 'eur', 'usd'].includes(currency) && !has('any-currency'))
    return fail(400, 'currency');
  const limit = has('limit-ignored') ? 500 : has('at-most-10') ? Math.min(asked, 10) : Math.min(asked, 100);
  const ordered = sort(service, service.customers);
  const isWanted = (item: Item): boolean =>
    currency === null || item['currency'] === currency || has(`filter-leaks:${currency}`);
  const found = ordered.filter((item) => isWanted(item) && !has(`filter-drops:${currency ?? ''}`));
  const after = query.get('starting_after');
  const index = found.findIndex(({ id }) => id === after);
  if (after !== null && index === -1 && !has('cursor-ignored')) return fail(400, 'starting_after');
  const from = has('cursor-ignored') ? 0 : index + 1 + (has('pages-skip') && after !== null ? 1 : 0);
  const page = found.slice(Math.max(0, has('pages-overlap') && after !== null ? from - 1 : from), from + limit);
  const hasMore = from + limit < found.length && !(has('more-is-false') && after !== null);
  return {
    status: 200,
    body: { object: 'list', data: page.map((item) => show(service, 'customers', item)), has_more: hasMore },
  };
}

function listInvoices({ service, query }: Asked): Answer {
  const { has } = service;
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
  if (!Number.isInteger(page) || page < 1) return fail(400, 'page');
  if (!Number.isInteger(size) || size < 1 || size > 100) return fail(400, 'per_page');
  const paid = query.get('paid');
  if (paid !== null && !['true', 'false'].includes(paid)) return fail(400, 'paid');
  const length = has('at-most-10') ? Math.min(size, 10) : size;
  const isWanted = (item: Item): boolean =>
    paid === null || String(item['paid']) === paid || has('filter-ignored:paid');
  const found = sort(service, service.invoices).filter(isWanted);
  const data = found.slice((page - 1) * length, page * length).map((item) => show(service, 'invoices', item));
  const total = found.length + (has('total-plus') ? 1 : 0) - (has('total-minus') ? 1 : 0);
  const meta = { page, per_page: length, total: has('total-of-page') ? data.length : total };
  return { status: 200, body: { data, meta } };
}

function sort({ has }: Service, items: readonly Item[]): Item[] {
  if (has('oldest-first')) return [...items];
  if (has('by-name')) return items.toSorted((one, other) => String(one['name']).localeCompare(String(other['name'])));
  return items.toReversed();
}

function answerOne({ service, kind, method, body }: Asked, key: string): Answer {
  const { has } = service;
  const all = service[kind];
  const found = all.find(({ id }) => id === key || (has('key-without-prefix') && String(id).slice(4) === key));
  if (found === undefined) return fail(has('unknown-400') ? 400 : 404, 'No such thing');
  if (method === 'GET') return { status: 200, body: show(service, kind, found) };
  if (method === 'DELETE') return remove(service, kind, found);
  const isPart = method === 'PATCH';
  const wrong = has(`unchecked-change:${kind}`) ? undefined : findWrong(kind, body, { has, isPart });
  if (wrong !== undefined) return fail(400, wrong);
  const before = { ...found };
  const given = normalise(takeFields(kind, body), has);
  if (!isPart && !has('put-merges')) for (const name of ['memo', 'paid', 'due_days']) delete found[name];
  if (!isPart && !has('put-merges')) found['paid'] = false;
  if (isPart && has('patch-resets')) for (const name of ['description', 'tax_exempt']) delete found[name];
  Object.assign(found, given, { updated_at: new Date().toISOString() });
  if (has(`change-lost:${kind}`)) Object.assign(found, before);
  if (has(`change-all:${kind}`)) for (const each of all) Object.assign(each, given);
  return { status: 200, body: show(service, kind, { ...found, ...given }) };
}

function remove(service: Service, kind: Kind, found: Item): Answer {
  const { has } = service;
  service.gone += 1;
  const all = service[kind];
  const next = Math.max(0, all.indexOf(found) - 1);
  const go = (): void => void all.splice(all.indexOf(found), all.includes(found) ? 1 : 0);
  if (has('late-removal')) setTimeout(go, 40);
  else if (!has(`removal-forgotten:${kind}`)) go();
  if (has(`removes-next:${kind}`)) all.splice(next, 1);
  return kind === 'customers' ? { status: 202, body: { id: found['id'], deleted: true } } : { status: 202 };
}

function answerPreferences({ service, method, key = '', body }: Asked): Answer {
  const { customers, preferences } = service;
  if (customers.every(({ id }) => id !== key)) return fail(404, 'No such customer');
  const { locale } = (body ?? {}) as Item;
  if (method === 'PUT' && !['de', 'en', 'fr'].some((each) => each === locale)) return fail(400, 'locale');
  if (method === 'PUT') preferences.set(key, body as Item);
  return { status: 200, body: preferences.get(key) ?? { locale: 'en' } };
}
