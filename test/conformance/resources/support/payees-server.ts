// A service that keeps payees of two kinds, told apart by a discriminator, under keys with a prefix. It shares nothing with
// the mock: what its contract says of a request, it says again by hand.
import { randomBytes } from 'node:crypto';
import { serveJson, type Answer, type Asked, type Item, type Served } from '../../../support/network/serve-json.js';
import { isItem } from './value-rules.js';

type Has = (change: string) => boolean;

/** Starts a service with some of its habits changed. */
export function startPayees(...changes: string[]): Promise<Served> {
  const kept: Item[] = [];
  const has: Has = (name) => changes.includes(name);
  return serveJson((asked) => answer({ kept, has }, asked), '/v1');
}

const refuse = (status: number, error: string): Answer => ({ status, body: { error } });

function answer({ kept, has }: { kept: Item[]; has: Has }, asked: Asked): Answer {
  const { method, parts } = asked;
  const [collection, key] = parts;
  if (collection !== 'payees' || parts.length > 2) return refuse(404, 'no such path');
  const items = kept.map((item) => show(item, has));
  if (key === undefined && method === 'GET') return { status: 200, body: { items, total: items.length } };
  if (key === undefined && method === 'POST') return create({ kept, has }, asked);
  const found = kept.findIndex(({ payeeId }) => payeeId === key);
  if (found === -1) return has('unknown-found') ? { status: 200, body: kept[0] } : refuse(404, 'no such payee');
  if (method === 'DELETE') kept.splice(found, 1);
  if (method === 'DELETE') return { status: 204 };
  return method === 'GET' ? { status: 200, body: show(kept[found] ?? {}, has) } : refuse(405, 'no such method');
}

function create({ kept, has }: { kept: Item[]; has: Has }, { body, bytes }: Asked): Answer {
  const sent = bytes.toString('utf8');
  if (!isItem(body)) return refuse(400, 'no object');
  if (has('letters-crash') && /[^\0-\x7F]/.test(sent)) return refuse(500, 'encoding');
  if (has('letters-refused') && /[^\0-\x7F]/.test(sent)) return refuse(400, 'letters');
  if (has('signs-refused') && /[<>&]/.test(sent)) return refuse(400, 'signs');
  const wrong = findWrong(body, has);
  if (wrong !== undefined) return refuse(400, wrong);
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

const isText = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'string' && Array.from(value).length >= least && Array.from(value).length <= most;
const isOpen = (value: unknown, fits: (value: unknown) => boolean): boolean => value === undefined || fits(value);

/** The field that breaks the contract. */
function findWrong(body: Item, has: Has): string | undefined {
  const { kind, nickname, memo, labels, branches, taxCode, registry, seat } = body;
  const code = has('code-end-open') ? /^[A-Z]{2}[0-9]{6}/ : /^[A-Z]{2}[0-9]{6}$/;
  const isPerson = kind === 'person';
  const ofKind: Record<string, boolean> = isPerson
    ? { taxCode: typeof taxCode === 'string' && code.test(taxCode) }
    : {
        registry: typeof registry === 'string' && /^HR[0-9]{4}$/.test(registry),
        seat: isOpen(seat, (value) => isText(value, 0, 40)),
      };
  const rules: Record<string, boolean> = {
    kind: isPerson || kind === 'company',
    nickname: isText(nickname, 1, 60),
    memo: isOpen(memo, (value) => value === null || isText(value, 0, 80)),
    labels: isOpen(labels, areLabels),
    branches: isOpen(branches, (value) => areBranches(value, has)),
    ...(has('company-unchecked') && !isPerson ? {} : ofKind),
  };
  return Object.keys(rules).find((name) => rules[name] === false);
}

function areLabels(value: unknown): boolean {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMap && Object.values(value).every((label) => isText(label, 0, 20));
}

function areBranches(value: unknown, has: Has): boolean {
  if (!Array.isArray(value) || value.length < 1 || value.length > 3) return false;
  const looked = has('first-branch-checked') ? value.slice(0, 1) : value;
  return looked.every((branch: unknown) => typeof branch === 'object' && branch !== null && isBranch(branch, has));
}

function isBranch(branch: object, has: Has): boolean {
  const { town, floor, ...others } = branch as Item;
  if (has('branch-fields-unchecked')) return true;
  const isFloor = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 90;
  return isText(town, 1, 30) && isOpen(floor, isFloor) && Object.keys(others).length === 0;
}
