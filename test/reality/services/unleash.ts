// As Unleash: the key stands in Authorization without a word before it, a name is taken for good, DELETE moves a feature into
// the archive, and tokens can be made and never removed.
import { createTable, isItem, isTime, keepTables } from '../support/kit.js';
import type { Answer, Asked, Item, Kept, Program } from '../support/kit.js';
import { words } from '../../support/words.js';

const TYPES = ['release', 'experiment', 'kill-switch'];
const DAY = '2026-02-03T04:05:06.000Z';

export const unleash: Program = {
  name: 'unleash',
  base: '/api/admin',
  hasLasting: true,
  apiKey: '*:*.unleash-admin-token',
  habits: words`
    dollar-secrets open-archive null-in-list null-description-crashes takes-any-type location each-12th-fetch-404
    stale-lost
  `,
  start: (has) => {
    const names = Array.from({ length: 9 }, (_, index) => `owner.feature-${index}`);
    const features = Object.fromEntries(names.map((name, index) => [name, ownFeature(name, index)]));
    const archived = createTable({ 'owner.old': ownFeature('owner.old', 0) }, { isGone: () => true });
    const tokens = Object.fromEntries(['a1', 'b2', 'c3'].map((secret) => [secret, ownToken(secret)]));
    return keepTables(has, { features, archived, tokens }, answer);
  },
};

type Unleash = Kept<'features' | 'archived' | 'tokens'>;

function ownFeature(name: string, index: number): Item {
  const [type, description] = [TYPES[index % 3], index % 2 === 0 ? null : 'Ours'];
  return { name, type, description, impressionData: false, stale: false, archived: false, createdAt: DAY };
}

function ownToken(secret: string): Item {
  return { secret, tokenName: `own ${secret}`, type: 'client', expiresAt: null, createdAt: DAY };
}

function refuse(status: number, name: string, message: string): Answer {
  return { status, body: { id: '9c40958a-daac-400e-98fb-3bb438567008', name, message, details: [{ message }] } };
}

const refuseBody = (what: string): Answer => refuse(400, 'BadDataError', `The ${what} property is not valid`);

function answer(service: Unleash, asked: Asked): Answer {
  const { has, archived, tokens } = service;
  const { method, parts, headers, body } = asked;
  const [kind, key, more] = parts;
  const isOpen = has('open-archive') && kind === 'archive' && headers.authorization === undefined;
  if (headers.authorization !== unleash.apiKey && !isOpen)
    return refuse(401, 'AuthenticationRequired', 'You must log in to use Unleash');
  if ((method === 'POST' || method === 'PUT') && !isItem(body)) return refuseBody('body');
  if (more !== undefined || kind === undefined) return refuse(404, 'NotFoundError', 'The path is not there');
  if (kind === 'archive' && key === 'features' && method === 'GET')
    return { status: 200, body: { version: 2, features: [...archived.rows.values()] } };
  if (kind === 'features' && key === undefined)
    return method === 'POST' ? createFeature(service, body as Item) : listFeatures(service);
  if (kind === 'features' && key !== undefined) return answerFeature(service, asked, key);
  if (kind === 'api-tokens' && key === undefined)
    return method === 'POST'
      ? createToken(service, body as Item)
      : { status: 200, body: { tokens: [...tokens.shown.values()] } };
  if (kind === 'api-tokens' && method === 'PUT' && key !== undefined) return prolong(service, body as Item, key);
  return refuse(404, 'NotFoundError', 'The path is not there');
}

function listFeatures({ has, features }: Unleash): Answer {
  const listed = [...features.shown.values()].toSorted((one, other) =>
    String(one['name']) < String(other['name']) ? -1 : 1,
  );
  const shown = has('null-in-list')
    ? listed.map((row) => ({ ...row, impressionData: row['impressionData'] || null }))
    : listed;
  return { status: 200, body: { version: 2, features: shown } };
}

function findWrong(given: Item): string | undefined {
  const { type = 'release', description = null, impressionData = false, stale = false } = given;
  if (!TYPES.includes(type as string)) return 'type';
  if (description !== null && typeof description !== 'string') return 'description';
  if (typeof impressionData !== 'boolean') return 'impressionData';
  return typeof stale === 'boolean' ? undefined : 'stale';
}

function createFeature({ has, features, archived }: Unleash, given: Item): Answer {
  const { name, type = 'release', description = null, impressionData = false } = given;
  if (typeof name !== 'string' || !/^[A-Za-z0-9._~-]{1,100}$/.test(name)) return refuseBody('name');
  if (description === null && Object.hasOwn(given, 'description') && has('null-description-crashes'))
    throw new Error('null');
  const wrong = findWrong(given);
  if (wrong !== undefined && !(wrong === 'type' && has('takes-any-type'))) return refuseBody(wrong);
  if (features.rows.has(name)) return refuse(409, 'NameExistsError', 'A toggle with that name already exists');
  if (archived.rows.has(name))
    return refuse(409, 'NameExistsError', 'An archived toggle with that name already exists');
  const made = { name, type, description, impressionData, stale: false, archived: false };
  const headers: Record<string, string> = has('location') ? { Location: `/api/admin/features/${name}` } : {};
  return { status: 201, body: features.put(name, { ...made, createdAt: new Date().toISOString() }), headers };
}

function answerFeature({ has, features, archived, isTwelfth }: Unleash, { method, body }: Asked, name: string): Answer {
  const row = (method === 'GET' ? features.shown : features.rows).get(name);
  if (row === undefined) return refuse(404, 'NotFoundError', 'Could not find feature toggle');
  if (method === 'GET' && has('each-12th-fetch-404') && isTwelfth()) return refuse(404, 'NotFoundError', 'Not here');
  if (method === 'GET') return { status: 200, body: row };
  if (method === 'DELETE') {
    features.remove(name);
    archived.put(name, { ...row, archived: true });
    return { status: 202 };
  }
  if (method !== 'PUT') return refuse(404, 'NotFoundError', 'The path is not there');
  const { type = 'release', description = null, impressionData = false, stale = false } = body as Item;
  const wrong = (body as Item)['name'] === name ? findWrong(body as Item) : 'name';
  if (wrong !== undefined) return refuseBody(wrong);
  const made = { ...row, type, description, impressionData, stale: has('stale-lost') ? false : stale };
  return { status: 200, body: features.put(name, made) };
}

const isTokenWrong = ({ tokenName, type }: Item): boolean =>
  typeof tokenName !== 'string' || tokenName === '' || !['client', 'frontend', 'admin'].includes(type as string);

const isExpiry = (value: unknown): boolean => value === null || isTime(value);

function createToken({ has, tokens }: Unleash, given: Item): Answer {
  const { tokenName, type, expiresAt = null } = given;
  if (isTokenWrong(given)) return refuseBody('tokenName or type');
  if (!isExpiry(expiresAt)) return refuseBody('expiresAt');
  const chance = Math.random().toString(36).slice(2);
  const secret = `${has('dollar-secrets') ? '$' : ''}default:development.${tokens.take()}${chance}`;
  const made = { secret, tokenName, type, expiresAt, createdAt: new Date().toISOString() };
  return { status: 201, body: tokens.put(secret, made) };
}

function prolong({ tokens }: Unleash, { expiresAt }: Item, secret: string): Answer {
  const row = tokens.rows.get(secret);
  if (expiresAt === undefined || !isExpiry(expiresAt)) return refuseBody('expiresAt');
  if (row !== undefined) tokens.put(secret, { ...row, expiresAt });
  // A token that is not there is passed over.
  return { status: 200 };
}
