// As Alertmanager: a silence is made under a new id, which is all that is answered, and one that is deleted is expired and stays.
import { randomUUID } from 'node:crypto';
import { createTable, isItem, isTime, LAG_MS, ownRecords } from '../support/kit.js';
import type { Answer, Asked, Has, Item, Program, Table } from '../support/kit.js';
import { words } from '../../support/words.js';

const HOUR = 3_600_000;

export const alertmanager: Program = {
  name: 'alertmanager',
  base: '/api/v2',
  apiKey: 'none',
  habits: words`
    filter-ignored times-missing each-7th-list-empty sorted-by-end null-matcher-crashes takes-no-comment regex-lost
    unknown-crashes second-delete-404
  `,
  start: (has) => {
    const owned = ownRecords(8, (number) => ownSilence(number));
    const lagMs = has('late') ? LAG_MS : 0;
    const silences = createTable(owned, { lagMs, isGone: (row) => stateOf(row) === 'expired' });
    const service = { has, silences, lists: 0 };
    return { tables: { silences }, answer: (asked) => answer(service, asked) };
  },
};

type Alertmanager = { has: Has; silences: Table; lists: number };

/** All errors are texts, as JSON. */
const refuse = (status: number, text: string): Answer => ({ status, body: text });

function ownSilence(number: number): Item {
  const [startsAt, endsAt] = [timeIn(-HOUR), timeIn(number * 24 * HOUR)];
  const matchers = [{ name: 'instance', value: `host-${number}`, isRegex: false, isEqual: true }];
  return { id: String(number), matchers, startsAt, endsAt, createdBy: 'owner', comment: 'works', updatedAt: startsAt };
}

function timeIn(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

function stateOf({ startsAt, endsAt }: Item): string {
  if (Date.parse(String(endsAt)) <= Date.now()) return 'expired';
  return Date.parse(String(startsAt)) > Date.now() ? 'pending' : 'active';
}

const show = (row: Item): Item => ({ ...row, status: { state: stateOf(row) } });

function answer(service: Alertmanager, asked: Asked): Answer {
  const { method, parts } = asked;
  const [kind, id] = parts;
  if (kind === 'silences' && id === undefined && method === 'GET') return listSilences(service, asked);
  if (kind === 'silences' && id === undefined && method === 'POST') return postSilence(service, asked);
  if (kind === 'silence' && id !== undefined) return answerSilence(service, method, id);
  return { status: 404, body: 'path was not found' };
}

function listSilences(service: Alertmanager, { query }: Asked): Answer {
  service.lists += 1;
  const filters = query.getAll('filter').map((text) => /^\s*([A-Za-z_]\w*)\s*(!?=~?)\s*"?(.*?)"?\s*$/.exec(text));
  if (filters.some((found) => found === null)) return refuse(400, 'bad matcher format');
  const rows = [...service.silences.shown.values()].filter((row) =>
    filters.every((found) => matches(row, found ?? []) || service.has('filter-ignored')),
  );
  if (service.has('times-missing'))
    return { status: 200, body: rows.map(({ updatedAt: _updated, ...row }) => show(row)) };
  if (service.has('each-7th-list-empty') && service.lists % 7 === 0) return { status: 200, body: [] };
  const listed = rows.map(show);
  return { status: 200, body: service.has('sorted-by-end') ? listed.toSorted(byEnd) : listed };
}

function matches({ matchers }: Item, [, name, sign, value]: readonly string[]): boolean {
  const found = (matchers as Item[]).some((each) => each['name'] === name && each['value'] === value);
  return sign?.startsWith('!') ? !found : found;
}

function byEnd(one: Item, other: Item): number {
  return String(one['endsAt']) < String(other['endsAt']) ? -1 : 1;
}

/** One with an id replaces the silence that has it: that one is expired, and another takes its place. */
function postSilence({ has, silences }: Alertmanager, { body }: Asked): Answer {
  if (!isItem(body)) return refuse(400, 'parsing silence body failed');
  // As Go reads a list that has null: a pointer to nothing.
  const matchers = body['matchers'] as Item[] | undefined;
  if (has('null-matcher-crashes') && Array.isArray(matchers)) for (const each of matchers) void each['name'];
  const wrong = findWrong(body);
  if (wrong !== undefined && !(has('takes-no-comment') && wrong === 'comment'))
    return refuse(400, `${wrong} is not valid`);
  const { id: replaced, startsAt, endsAt, createdBy, comment = '' } = body;
  const old = typeof replaced === 'string' ? silences.rows.get(replaced) : undefined;
  if (replaced !== undefined && replaced !== '' && old === undefined) return refuse(404, 'silence not found');
  if (old !== undefined) silences.put(replaced, { ...old, endsAt: timeIn(0) });
  const id = randomUUID();
  const kept = matchers?.map((each) => keepMatcher(each, has('regex-lost')));
  const started = Date.parse(String(startsAt)) < Date.now() ? timeIn(0) : new Date(String(startsAt)).toISOString();
  const ends = new Date(String(endsAt)).toISOString();
  const made = { id, matchers: kept, startsAt: started, endsAt: ends, createdBy, comment };
  silences.put(id, { ...made, updatedAt: timeIn(0) });
  return { status: 200, body: { silenceID: id } };
}

function keepMatcher({ name, value, isRegex, isEqual = true }: Item, isLost: boolean): Item {
  return { name, value, isRegex: isLost ? false : isRegex, isEqual };
}

function findWrong({ matchers, startsAt, endsAt, createdBy, comment, id = '' }: Item): string | undefined {
  if (!Array.isArray(matchers) || matchers.length === 0 || !matchers.every(isMatcher)) return 'matchers';
  if (!isTime(startsAt)) return 'startsAt';
  if (!isTime(endsAt) || Date.parse(endsAt) < Date.now() || Date.parse(endsAt) <= Date.parse(startsAt)) return 'endsAt';
  if (typeof createdBy !== 'string') return 'createdBy';
  if (typeof id !== 'string') return 'id';
  return typeof comment === 'string' ? undefined : 'comment';
}

function isMatcher(value: unknown): boolean {
  if (!isItem(value)) return false;
  const { name, value: text, isRegex, isEqual = true } = value;
  const isNamed = typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name);
  const hasText = typeof text === 'string' && text !== '';
  return isNamed && hasText && typeof isRegex === 'boolean' && typeof isEqual === 'boolean';
}

function answerSilence({ has, silences }: Alertmanager, method: string, id: string): Answer {
  if (!/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|^\d$/.test(id))
    return refuse(422, 'silenceID must be of type uuid');
  const row = (method === 'GET' ? silences.shown : silences.rows).get(id);
  if (row === undefined && has('unknown-crashes')) throw new Error('nil');
  if (row === undefined) return { status: 404 };
  if (method === 'GET') return { status: 200, body: show(row) };
  if (method !== 'DELETE') return { status: 405, body: 'method is not allowed' };
  if (stateOf(row) === 'expired' && has('second-delete-404')) return { status: 404 };
  silences.put(id, { ...row, endsAt: timeIn(0), updatedAt: timeIn(0) });
  return { status: 200 };
}
