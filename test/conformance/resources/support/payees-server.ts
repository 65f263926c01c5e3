// A service that keeps payees of two kinds, told apart by a discriminator, under keys with a prefix. It shares nothing with
// the mock.
import { randomBytes } from 'node:crypto';
import { serveJson, type Answer, type Asked, type Item, type Served } from '../../../support/network/serve-json.js';
import type { Schema } from './odd-resource.js';
import { createFit, readComponents, type Fit } from './strangers.js';
import { isItem } from './value-rules.js';

type Has = (change: string) => boolean;

/** Starts a service with some of its habits changed. */
export function startPayees(...changes: string[]): Promise<Served> {
  const kept: Item[] = [];
  const has: Has = (name) => changes.includes(name);
  const fit = createRules(has);
  return serveJson((asked) => answer({ kept, has, fit }, asked), '/v1');
}

const refuse = (status: number, error: string): Answer => ({ status, body: { error } });

interface Payees {
  kept: Item[];
  has: Has;
  fit: Fit;
}

function answer({ kept, has, fit }: Payees, asked: Asked): Answer {
  const { method, parts } = asked;
  const [collection, key] = parts;
  if (collection !== 'payees' || parts.length > 2) return refuse(404, 'no such path');
  const items = kept.map((item) => show(item, has));
  if (key === undefined && method === 'GET') return { status: 200, body: { items, total: items.length } };
  if (key === undefined && method === 'POST') return create({ kept, has, fit }, asked);
  const found = kept.findIndex(({ payeeId }) => payeeId === key);
  if (found === -1) return has('unknown-found') ? { status: 200, body: kept[0] } : refuse(404, 'no such payee');
  if (method === 'DELETE') kept.splice(found, 1);
  if (method === 'DELETE') return { status: 204 };
  return method === 'GET' ? { status: 200, body: show(kept[found] ?? {}, has) } : refuse(405, 'no such method');
}

function create({ kept, has, fit }: Payees, asked: Asked): Answer {
  const { body, bytes } = asked;
  const sent = bytes.toString('utf8');
  if (!isItem(body)) return refuse(400, 'no object');
  if (has('letters-crash') && /[^\0-\x7F]/.test(sent)) return refuse(500, 'encoding');
  if (has('letters-refused') && /[^\0-\x7F]/.test(sent)) return refuse(400, 'letters');
  if (has('signs-refused') && /[<>&]/.test(sent)) return refuse(400, 'signs');
  if (fit(body, asked) !== undefined) return refuse(400, 'wrong');
  const item = { ...change(body, has), payeeId: `pay_${randomBytes(8).toString('hex')}` };
  if (has('newest-first')) kept.unshift(item);
  else kept.push(item);
  return { status: 201, body: show(item, has) };
}

/** What is kept of what was sent. */
function change(body: Item, has: Has): Item {
  const kept = { ...body };
  if (has('letters-decoded')) kept['nickname'] = Buffer.from(String(body['nickname'])).toString('latin1');
  if (has('signs-escaped'))
    kept['nickname'] = String(body['nickname']).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (has('null-emptied') && body['memo'] === null) kept['memo'] = '';
  if (has('company-seat-lost')) delete kept['seat'];
  const labels = Object.entries(body['labels'] ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  if (has('labels-lowered') && 'labels' in body) kept['labels'] = Object.fromEntries(labels);
  return kept;
}

function show(item: Item, has: Has): Item {
  const shown: Item = { ...item, ...(has('more-fields') ? { bank: { name: 'none' } } : {}) };
  if (has('registry-hidden')) delete shown['registry'];
  if (has('nulls-dropped')) return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
  return shown;
}

/** What the contract says of a request, apart from what is not looked at. */
function createRules(has: Has): Fit {
  const components = readComponents('payees');
  const fieldsOf = ({ properties = {} }: Schema): Record<string, Schema> => properties as Record<string, Schema>;
  const { Common = {}, PersonInput = {}, CompanyInput = {}, PayeeInput = {} } = components.schemas;
  const { branches = {} } = fieldsOf(Common);
  // By draft 7, which the validator has, these are the items one by one.
  if (has('first-branch-checked')) branches['items'] = [branches['items']];
  if (has('branch-fields-unchecked')) branches['items'] = { type: 'object' };
  const [, person = {}] = PersonInput['allOf'] as Schema[];
  const [common, company = {}] = CompanyInput['allOf'] as Schema[];
  if (has('code-end-open')) fieldsOf(person)['taxCode'] = { type: 'string', pattern: '^[A-Z]{2}[0-9]{6}' };
  if (has('company-unchecked')) CompanyInput['allOf'] = [common, { properties: { kind: fieldsOf(company)['kind'] } }];
  return createFit({ record: PayeeInput }, components);
}
