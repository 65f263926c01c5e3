// A service that lends tools to its neighbours, in the style of those that read RFCs: lists in `data` with a total and a link
// to the next page, problems of RFC 9457, merge patches with a condition that is required, and 410 for what is gone. It shares
// nothing with the mock.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { serveJson, type Answer, type Asked as Request, type Served } from '../../../support/network/serve-json.js';
import { readList } from './toolshed-lists.js';
import { createRules, merge, type Item } from './toolshed-rules.js';
import { createShed, fail, isGone, takeKey, type Asked, type Kind, type Shed } from './toolshed-state.js';

export const TOOLSHED_KEY = 'shed-token';

/** Starts a service with some of its habits changed. */
export function startToolshed(...changes: string[]): Promise<Served> {
  const shed = createShed(changes);
  const wrong = createRules(changes);
  return serveJson(async (asked) => {
    if (shed.has('slow')) await sleep(25);
    return wrap(shed, asked, answer({ ...asked, shed, wrong }));
  }, '/api/v3');
}

function wrap({ has }: Shed, { headers: sent }: Request, answered: Answer): Answer {
  const { status, body, headers } = answered;
  if (body === undefined) return answered;
  const isProblem = status >= 400 && !(status === 404 && has('problem-as-json'));
  const text = JSON.stringify(body).replaceAll(/"(\d{16,})n"/g, '$1');
  const isPacked = has('gzip') && String(sent['accept-encoding']).includes('gzip');
  const type = { 'Content-Type': isProblem ? 'application/problem+json' : 'application/json' };
  const packing = isPacked ? { 'Content-Encoding': 'gzip' } : {};
  return { status, body: isPacked ? gzipSync(text) : Buffer.from(text), headers: { ...headers, ...type, ...packing } };
}

function answer(asked: Asked): Answer {
  const { shed, method, query, headers } = asked;
  const [kind, key, part, partKey, more] = asked.parts;
  const isOpen =
    shed.has(`no-key:${method}:${part ?? kind}`) ||
    ['after', 'category'].some((name) => shed.has(`no-key-with:${name}`) && query.has(name));
  if (headers.authorization !== `Bearer ${TOOLSHED_KEY}` && !isOpen) return fail(401, 'Who are you?');
  if (shed.isOverrun()) return { ...fail(429, 'Not so fast'), headers: { 'Retry-After': '1' } };
  if (!asked.isReadable) return fail(422, 'Not JSON');
  if (more !== undefined || (kind !== 'members' && kind !== 'tools')) return fail(404, 'No such path');
  if (key === undefined) return answerAll(asked, kind, undefined);
  const item = shed.items(kind).find((each) => each.key === key);
  if (item === undefined) {
    const isCrash = kind === 'tools' && method === 'PUT' && shed.has('unknown-put-500');
    if (isCrash) throw new Error('no such tool');
    return fail(404, 'Nothing there');
  }
  if (isGone(shed, item)) return fail(shed.has('gone-404') ? 404 : 410, 'It is gone');
  if (part === undefined) return answerOne(asked, kind, item);
  if (part !== 'loans' || kind !== 'members') return fail(404, 'No such path');
  if (partKey === undefined) return answerAll(asked, 'loans', key);
  const loan = shed.items('loans').find((each) => each.key === partKey);
  if (loan === undefined) return fail(404, 'No such loan');
  if (loan.owner !== key && !shed.has('any-member')) return fail(404, 'No such loan');
  return isGone(shed, loan) ? fail(shed.has('gone-404') ? 404 : 410, 'It is gone') : answerOne(asked, 'loans', loan);
}

const INPUTS = { members: 'MemberInput', tools: 'ToolInput', loans: 'LoanInput' } as const;

function answerAll(asked: Asked, kind: Kind, owner: string | undefined): Answer {
  const { shed, method, body, headers } = asked;
  if (method === 'GET') return readList(asked, kind, owner);
  if (method !== 'POST') return fail(405, 'Not here');
  const counter = headers['x-counter'];
  if (kind === 'loans') {
    if (counter === undefined && !shed.has('counter-optional')) return fail(400, 'At which counter?');
    const isCounter = counter === undefined || /^[a-z]{3}-\d{2}$/.test(String(counter));
    if (!isCounter && !shed.has('counter-unchecked')) return fail(400, 'No such counter');
  }
  const problem = asked.wrong(INPUTS[kind], body);
  if (problem !== undefined) return fail(422, problem);
  const isLent = kind !== 'loans' || shed.items('tools').some(({ key }) => key === (body as Item)['tool_id']);
  if (!isLent) return fail(422, 'No such tool');
  const made = shed.add(kind, body as Item, owner);
  const shown = shed.show(made, 'create');
  const place = `/api/v3/${kind}/${made.key}`;
  const tag = kind === 'members' ? { ETag: tagOf(made.item) } : {};
  return { status: 201, body: shown, headers: kind === 'loans' ? {} : { Location: place, ...tag } };
}

function tagOf(item: Item): string {
  return `"${createHash('sha1').update(JSON.stringify(item)).digest('hex').slice(0, 16)}"`;
}

function answerOne(asked: Asked, kind: Kind, found: ReturnType<Shed['items']>[number]): Answer {
  const { shed, method, headers, query } = asked;
  const tag = shed.has('tag-fixed') ? `"${found.key}"` : tagOf(found.item);
  const tags = kind === 'members' ? { ETag: tag } : {};
  if (method === 'GET') {
    const view = query.get('view');
    const isView = view === null || ['short', 'long'].includes(view) || shed.has('view-unchecked');
    if (kind === 'members' && !isView) return fail(400, 'No such view');
    if (kind === 'members' && headers['if-none-match'] === tag) return { status: 304, headers: tags };
    return { status: 200, body: shed.show(found, 'get'), headers: tags };
  }
  if (method === 'DELETE') return removeOne(shed, kind, found);
  if (method === 'PUT' && kind === 'tools') return replaceOne(asked, found);
  if (method !== 'PATCH' || kind === 'tools') return fail(405, 'Not here');
  const wanted = headers['if-match'];
  if (kind === 'members' && wanted === undefined && !shed.has('condition-optional')) return fail(428, 'Which one?');
  const isCurrent = wanted === undefined || wanted === '*' || wanted === tag || shed.has('stale-taken');
  if (kind === 'members' && !isCurrent) return fail(412, 'It has changed');
  return updateOne(asked, kind, found);
}

function updateOne({ shed, body, wrong }: Asked, kind: Kind, found: ReturnType<Shed['items']>[number]): Answer {
  const problem = wrong(kind === 'members' ? 'MemberChange' : 'LoanChange', body);
  if (problem !== undefined) return fail(422, problem);
  const given = takeKey(kind, body as Item, shed.has('created-writable'));
  const made = shed.has('patch-flat') ? { ...found.item, ...given } : merge(found.item, given);
  if (shed.has('patch-drops-address') && kind === 'members' && !Object.hasOwn(given, 'address')) delete made['address'];
  if (shed.has('patch-null-kept'))
    for (const name of Object.keys(given)) if (given[name] === null) made[name] = found.item[name];
  if (shed.has('returned-stuck') && kind === 'loans') made['returned'] = found.item['returned'];
  const updated = kind === 'members' ? { updated_at: shed.now() } : {};
  shed.put(found, { ...made, ...updated });
  const shown =
    shed.has('patch-answers-old') && kind === 'loans' ? { ...found, item: { ...made, ...given, note: 'old' } } : found;
  const tags = kind === 'members' ? { ETag: tagOf(found.item) } : {};
  return { status: 200, body: shed.show(shown, 'update'), headers: tags };
}

function replaceOne({ shed, body, wrong }: Asked, found: ReturnType<Shed['items']>[number]): Answer {
  const problem = wrong('ToolInput', body);
  if (problem !== undefined) return fail(422, problem);
  const given = takeKey('tools', body as Item, false);
  const { tool_id, created_at, serial_no } = found.item;
  const kept = shed.has('put-keeps-serial') && serial_no !== undefined ? { serial_no } : {};
  const key = shed.has('put-new-key') ? randomUUID() : tool_id;
  shed.put(found, { on_shelf: true, ...kept, ...given, tool_id: key, created_at });
  return { status: 200, body: shed.show(found, 'replace') };
}

function removeOne(shed: Shed, kind: Kind, found: ReturnType<Shed['items']>[number]): Answer {
  if (!(shed.has('cancels-nothing') && kind === 'loans')) shed.remove(kind, found);
  const next = shed.items(kind).find((each) => !isGone(shed, each) && each.isMade && each !== found);
  if (shed.has('removes-another') && kind === 'tools' && next !== undefined) shed.remove(kind, next);
  return { status: 204 };
}
