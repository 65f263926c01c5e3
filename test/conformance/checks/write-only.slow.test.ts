import { expect, test } from 'vitest';
import { listTold } from '../support/ask.js';
import { judgeAccounts, type Habit } from '../support/accounts.js';

const ONLY = ['accounts/records/*', 'accounts/changes/update*', 'accounts/refusals/*', 'accounts/requests/*'];

const judge = async (habit: Habit): Promise<string[]> => listTold(await judgeAccounts(habit, { only: ONLY }));

/** Shows more of an account in responses of one role. */
const showing =
  (role: string, change: (body: Record<string, unknown>) => unknown): Habit =>
  (exchange) =>
    exchange.role === role
      ? { ...exchange.answer, body: change(exchange.answer.body as Record<string, unknown>) }
      : undefined;

function leakLogins(body: unknown): unknown {
  const accounts = body as { id: number; name: string; logins?: { user: string }[] }[];
  return accounts.map(({ id, name, logins = [] }) => ({
    id,
    name,
    logins: logins.map(({ user }) => ({ user, password: 'wxyz' })),
  }));
}

test('a service that shows nothing that is write only, at any depth, is accused of nothing', async () =>
  expect(await judge(() => undefined)).toEqual([]));

test.each<[string, Habit, RegExp]>([
  ['a change', showing('update', (body) => ({ ...body, pin: '1234' })), /^`pin`, .* of accounts_update$/],
  ['a create', showing('create', (body) => ({ ...body, pin: '1234' })), /^`pin`, .* of accounts_create$/],
  ['a list, within lists of its items', showing('list', leakLogins), /^`logins\/password`, .* of accounts_list$/],
  [
    'an error',
    showing('wrong', (body) => ({ ...body, given: { name: 'a', pin: '1234' } })),
    /^`pin`, .* of (?:accounts_create|accounts_update)/,
  ],
])('what is write only is told in responses of %s', async (_, habit, headline) => {
  expect(await judge(habit)).toEqual([expect.stringMatching(headline)]);
});

test('a header field that an error must have is told where it is missing, or in another form', async () => {
  const challenge =
    (headers: Record<string, string>): Habit =>
    ({ role, answer }) =>
      role === 'refuse' ? { ...answer, headers } : undefined;
  expect(await judge(challenge({}))).toEqual([
    expect.stringMatching(/return 401 without the header field `WWW-Authenticate`$/),
  ]);
  expect(await judge(challenge({ 'WWW-Authenticate': 'Basic' }))).toEqual([
    expect.stringMatching(/return 401 with `WWW-Authenticate` "Basic"/),
  ]);
});
