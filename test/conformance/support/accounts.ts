// A small service of accounts, of which each test changes one answer. It shares nothing with the mock.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { makeFolder } from '../../support/folder.js';
import { content, inPath, inQuery } from '../../support/open-paths.js';
import { serveJson, type Asked } from '../../support/network/serve-json.js';

const KEY = 'accounts-key-4711';

type Fields = Record<string, unknown>;

/** What the service is about to answer. */
export type AccountsAnswer = { status: number; body?: unknown; headers: Record<string, string> };

/** A request that the service has carried out. */
export interface AccountsExchange {
  /** `list`, `create`, `get`, `update` or `remove`. */
  role: string;
  /** Which one of its role it is, from 1. */
  number: number;
  key: number;
  accounts: Map<number, Account>;
  query: URLSearchParams;
  answer: AccountsAnswer;
}

export interface Account {
  fields: Fields;
  /** On the clock of `performance.now()`. */
  madeAt: number;
}

/** What a habit makes of an answer; `undefined` leaves it as it is. */
export type Habit = (exchange: AccountsExchange) => AccountsAnswer | undefined;

const text = { type: 'string' };
const secret = { ...text, minLength: 4, writeOnly: true };
const login = { type: 'object', required: ['user', 'password'], properties: { user: text, password: secret } };
const fields = { name: { ...text, minLength: 1 }, pin: secret, logins: { type: 'array', items: login } };
const account = { type: 'object', required: ['id', 'name'], properties: { id: { type: 'integer' }, ...fields } };
const failure = content({
  type: 'object',
  required: ['code'],
  properties: { code: text, message: text, given: { $ref: '#/components/schemas/NewAccount' } },
});
const challenge = { required: true, schema: { ...text, pattern: '^Bearer' } };
const refused = { ...failure, headers: { 'WWW-Authenticate': challenge } };

const operation = (operationId: string, responses: object, more: object = {}): object => ({
  operationId,
  ...more,
  responses: { ...responses, 401: refused },
});

const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Accounts', version: '1' },
  security: [{ key: [] }],
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: { NewAccount: { type: 'object', required: ['name'], properties: fields } },
  },
  paths: {
    '/accounts': {
      get: operation(
        'listAccounts',
        { 200: content({ type: 'array', items: account }) },
        { parameters: [inQuery('limit', { type: 'integer', minimum: 1, maximum: 100, default: 100 })] },
      ),
      post: operation(
        'createAccount',
        { 201: content(account), 400: failure },
        { requestBody: { required: true, ...content({ $ref: '#/components/schemas/NewAccount' }) } },
      ),
    },
    '/accounts/{accountId}': {
      parameters: [inPath('accountId')],
      get: operation('getAccount', { 200: content(account), 404: failure }),
      patch: operation(
        'updateAccount',
        { 200: content(account), 400: failure, 404: failure },
        { requestBody: { required: true, ...content({ type: 'object', properties: fields }) } },
      ),
      delete: operation('removeAccount', { 204: { description: 'Gone.' }, 404: failure }),
    },
  },
};

type Service = { accounts: Map<number, Account>; next: number; counts: Map<string, number> };

/** What a run finds in the service with a habit of its own. */
export async function judgeAccounts(habit: Habit, options: Partial<ConformanceOptions> = {}): Promise<RunResult> {
  const spec = join(makeFolder({ 'accounts.json': JSON.stringify(CONTRACT) }), 'accounts.json');
  const service: Service = { accounts: new Map(), next: 1, counts: new Map() };
  for (const name of ['Ada', 'Ben', 'Cleo']) keep({ name }, service, Number.NEGATIVE_INFINITY);
  const { url, close } = await serveJson((asked) => serve(asked, service, habit));
  onTestFinished(close);
  return runConformance({ target: url, apiKey: KEY, spec, settleMs: 50, ...options });
}

function serve(request: Asked, service: Service, habit: Habit): AccountsAnswer {
  const { role, answer, ...asked } = carryOut(request, service);
  const number = (service.counts.get(role) ?? 0) + 1;
  service.counts.set(role, number);
  return habit({ role, number, accounts: service.accounts, answer, ...asked }) ?? answer;
}

type CarriedOut = Omit<AccountsExchange, 'number' | 'accounts'>;

function carryOut({ method, parts, query, headers, body: sent }: Asked, service: Service): CarriedOut {
  const [kind, id] = parts;
  const key = Number(id ?? '0');
  const done = (role: string, status: number, body?: unknown, more: Record<string, string> = {}): CarriedOut => ({
    role,
    key,
    query,
    answer: { status, headers: more, ...(body === undefined ? {} : { body }) },
  });
  if (kind !== 'accounts') return done('none', 404, { code: 'no-path' });
  if (headers.authorization !== `Bearer ${KEY}`)
    return done('refuse', 401, { code: 'who' }, { 'WWW-Authenticate': 'Bearer realm="accounts"' });
  const known = service.accounts.get(key);
  if (id === undefined && method === 'GET') return done('list', ...list(query, service));
  if (id !== undefined && known === undefined) return done('miss', 404, { code: 'none' });
  const body = method === 'POST' || method === 'PATCH' ? readFields(sent) : {};
  if (body === undefined) return done('wrong', 400, { code: 'wrong' });
  if (id === undefined) {
    if (!('name' in body)) return done('wrong', 400, { code: 'wrong' });
    const made = keep(body, service, performance.now());
    return { ...done('create', 201, show(made)), key: Number(made['id']) };
  }
  if (method === 'DELETE') service.accounts.delete(key);
  if (method === 'DELETE') return done('remove', 204);
  Object.assign(known?.fields ?? {}, body);
  return done(method === 'PATCH' ? 'update' : 'get', 200, show(known?.fields ?? {}));
}

function list(query: URLSearchParams, { accounts }: Service): [number, unknown] {
  const limit = query.get('limit') ?? '100';
  if (!/^[1-9]\d?$|^100$/.test(limit)) return [400, { code: 'limit' }];
  return [200, [...accounts.values()].slice(0, Number(limit)).map((each) => show(each.fields))];
}

function keep(given: Fields, service: Service, madeAt: number): Fields {
  const made = { id: service.next++, ...given };
  service.accounts.set(made.id, { fields: made, madeAt });
  return made;
}

/** An account as answers show it. */
export function show({ id, name, logins }: Fields): Fields {
  const shown = Array.isArray(logins) ? { logins: logins.map(({ user }: Fields) => ({ user })) } : {};
  return { id, name, ...shown };
}

function readFields(sent: unknown): Fields | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined;
  const { name, pin, logins } = sent as Fields;
  const given = Object.entries({ name, pin, logins }).filter(([, value]) => value !== undefined);
  return given.every(([field, value]) => isFit(field, value)) ? Object.fromEntries(given) : undefined;
}

function isFit(field: string, value: unknown): boolean {
  if (field !== 'logins') return typeof value === 'string' && Array.from(value).length >= (field === 'pin' ? 4 : 1);
  const isLogin = (each: Fields | null): boolean =>
    typeof each?.['user'] === 'string' &&
    typeof each['password'] === 'string' &&
    Array.from(each['password']).length >= 4;
  return Array.isArray(value) && value.every(isLogin);
}
