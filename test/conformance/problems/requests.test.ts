import { expect, test } from 'vitest';
import type { ExchangeResult, ScenarioResult } from '../../../src/conformance/model/result.js';
import { makeDeviating, makeExchange, makeFinding, makeScenario } from '../../report/results.js';
import { headlines, status } from './answers.js';

// A condition is named if counter-examples prove it: three requests fail with it, three are served without it.

type Sent = Partial<ExchangeResult['request']>;
const { request } = makeExchange();
const add = (body: object): Sent => ({ method: 'POST', path: '/things', body: JSON.stringify(body) });
const ask = (path: string): Sent => ({ path });

function tell(served: readonly Sent[], failing: readonly Sent[], code = 422): string[] {
  const exchange = (sent: Sent, given: number): ExchangeResult =>
    makeExchange({
      operationId: 'useThing',
      request: { ...request, ...sent },
      response: { status: given, headers: {}, body: '' },
    });
  const failed = failing.map((sent, index): ScenarioResult =>
    makeDeviating(`things/own/${index}`, [makeFinding(status('201', String(code)))], exchange(sent, code)),
  );
  const well = makeScenario('things/served', 'passed', {
    steps: [{ id: 'create', exchanges: served.map((sent) => exchange(sent, 201)) }],
  });
  return headlines(well, ...failed);
}

const SERVED = ['a', 'b', 'c'].map((name) => add({ name, kind: 'plain', size: 1 }));
const named = (more: object): Sent[] => ['x', 'y', 'z'].map((name) => add({ name, size: 1, ...more }));

test.each<[string, Sent[], Sent[], string]>([
  ['a value', SERVED, named({ kind: 'odd' }), 'with `kind` "odd"'],
  ['a field that is missing', SERVED, named({}), 'without `kind`'],
  [
    'a field that no other request has',
    SERVED,
    ['1', '2', '3'].map((tag) => add({ name: tag, kind: 'plain', tag })),
    'with `tag`',
  ],
  [
    'a parameter',
    ['/things', '/things?a=1', '/things?b=2'].map(ask),
    ['/things?limit=1', '/things?limit=2', '/things?limit=3&a=1'].map(ask),
    'with a limit',
  ],
  [
    'a parameter that is missing',
    ['/things?limit=1', '/things?limit=2', '/things?limit=3'].map(ask),
    ['/things', '/things?a=1', '/things?b=1'].map(ask),
    'without `limit`',
  ],
  [
    'a header field',
    SERVED,
    ['x', 'y', 'z'].map((name) =>
      Object.assign(add({ name, kind: 'plain', size: 1 }), { headers: { accept: 'text/csv' } }),
    ),
    'with accept=text/csv',
  ],
])('a condition that is proven: %s', (_, served, failing, condition) => {
  expect(tell(served, failing)).toEqual([`useThing rejects with 422 what the contract allows ${condition}`]);
  expect(tell(served, failing, 500)).toEqual([`useThing fails with 500 ${condition}`]);
});

test.each<[string, Sent[], Sent[], string]>([
  ['two fail', SERVED, named({ kind: 'odd' }).slice(1), ' for 2 of 5 requests'],
  ['two are served', SERVED.slice(1), named({ kind: 'odd' }), ' for 3 of 5 requests'],
  [
    'one with it is served',
    [...SERVED, add({ name: 'd', kind: 'odd', size: 2 })],
    named({ kind: 'odd' }),
    ' for 3 of 7 requests',
  ],
  [
    'one fails without it',
    SERVED,
    [...named({ kind: 'odd' }), add({ name: 'd', kind: 'plain', size: 1 })],
    ' for 4 of 7 requests',
  ],
  ['all fail', [], named({ kind: 'odd' }), ''],
])('not so, but a count, where %s', (_, served, failing, told) => {
  expect(tell(served, failing)).toEqual([`useThing rejects with 422 what the contract allows${told}`]);
});

test('a request that was served before is sent again', () => {
  const sent = { ...request, ...add({ name: 'Cfc' }) };
  const first = makeExchange({
    operationId: 'useThing',
    request: sent,
    response: { status: 201, headers: {}, body: '' },
  });
  const again = makeDeviating('things/requests/sent-again[Idempotency-Key]', [makeFinding(status('201', '409'))], {
    ...first,
    response: { status: 409, headers: {}, body: '' },
  });
  again.steps[0]!.exchanges.unshift(first);
  expect(headlines(again)).toEqual([
    'useThing rejects with 409 what the contract allows when it is sent again with the same `Idempotency-Key`',
  ]);
});
