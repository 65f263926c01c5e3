// A small service of accounts, of which each test changes one answer. It shares nothing with the mock.
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { content } from '../../support/open-paths.js';
import { object, text } from '../resources/support/odd-resource.js';
import { fail, type Answer, type Item } from '../resources/support/stranger.js';
import { id, name, runStranger, type Operation } from '../resources/support/strangers.js';

/** A request that the service has carried out. */
export interface AccountsExchange {
  /** `list`, `create`, `get`, `update` or `remove`; `refuse`, `miss` or `wrong` where it is refused. */
  role: string;
  /** Which one of its role it is, from 1. */
  number: number;
  key: number;
  accounts: Item[];
  /** When a record was made, on the clock of `performance.now()`. */
  madeAt: (key: number) => number;
  query: URLSearchParams;
  answer: Answer;
}

/** What a habit makes of an answer; `undefined` leaves it as it is. */
export type Habit = (exchange: AccountsExchange) => Answer | undefined;

const secret = { ...text, minLength: 4, writeOnly: true };
const fields = { name, pin: secret, logins: { type: 'array', items: object({ user: text, password: secret }) } };
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 100 } };
const given = { $ref: '#/components/schemas/NewAccount' };
const failure = content(object({ message: text, given }, ['message']));
const headers = { 'WWW-Authenticate': { required: true, schema: { ...text, pattern: '^Bearer' } } };
const BESIDE = {
  openapi: '3.1.0',
  security: [{ key: [] }],
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: { NewAccount: object(fields, ['name']) },
  },
};

function describeFailures(operations: Record<string, Operation>): void {
  for (const { responses } of Object.values(operations).filter((each) => 'responses' in each)) {
    if (responses['400'] !== undefined) responses['400'] = failure;
    responses['401'] = { ...failure, headers };
  }
}

/** An account as answers show it. */
export const show = ({ id: key, name: own, logins }: Item): Item => ({
  id: key,
  name: own,
  ...(Array.isArray(logins) && { logins: logins.map(({ user }: Item) => ({ user })) }),
});

const ROLES: Record<string, string> = { GET: 'get', POST: 'create', PATCH: 'update', DELETE: 'remove' };
const REFUSED: Record<number, string> = { 400: 'wrong', 401: 'refuse', 404: 'miss' };

/** What a run finds in the service with a habit of its own. */
export function judgeAccounts(habit: Habit, options: Partial<ConformanceOptions> = {}): Promise<RunResult> {
  const counts = new Map<string, number>();
  const made = new Map<number, number>();
  let accounts: Item[] = [];
  return runStranger({
    plan: {
      name: 'accounts',
      record: object({ id, ...fields }, ['id', 'name']),
      sent: object(fields, ['name']),
      query: [limit],
      methods: ['list', 'create', 'get', 'update', 'remove'],
    },
    paths: (paths) => Object.values(paths).forEach(describeFailures),
    beside: BESIDE,
    first: ['Ada', 'Ben', 'Cleo'].map((own, index) => ({ id: index + 1, name: own })),
    habits: () => ({
      show,
      answer: (_, items) => void (accounts = items),
      list: (items, { query }) => {
        const most = query.get('limit') ?? '100';
        if (!/^[1-9]\d?$|^100$/.test(most)) return fail(400);
        return { status: 200, body: items.slice(0, Number(most)).map(show) };
      },
    }),
    serve: (_, shelf) => (asked) => {
      const isLet = asked.headers['authorization'] === 'Bearer any';
      const challenge = { ...fail(401), headers: { 'WWW-Authenticate': 'Bearer realm="accounts"' } };
      const answer = isLet ? shelf(asked) : challenge;
      const { method, path, query } = asked;
      const usual = method === 'GET' && path[1] === undefined ? 'list' : (ROLES[method] ?? 'none');
      const role = REFUSED[answer.status] ?? usual;
      const key = Number(role === 'create' ? (answer.body as Item)['id'] : path[1]);
      if (role === 'create') made.set(key, performance.now());
      const number = (counts.get(role) ?? 0) + 1;
      counts.set(role, number);
      const madeAt = (each: number): number => made.get(each) ?? Number.NEGATIVE_INFINITY;
      return habit({ role, number, key, accounts, madeAt, query, answer }) ?? answer;
    },
    options: { settleMs: 50, ...options },
  });
}
