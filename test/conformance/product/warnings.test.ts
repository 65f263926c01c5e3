import { expect, test } from 'vitest';
import type { ExchangeResult, ScenarioResult } from '../../../src/conformance/model/result.js';
import { listWarnings } from '../../../src/conformance/product/compose-result.js';

function exchange(durationMs: number, status = 400): ExchangeResult {
  const request = { method: 'POST', path: '/pets', auth: 'valid' as const, headers: {} };
  return { operationId: 'createPet', request, response: { status, headers: {}, body: '' }, durationMs, findings: [] };
}

function scenario(of: string, title: string, ...exchanges: ExchangeResult[]): ScenarioResult {
  const about = { resource: 'pets', scenario: of };
  const steps = [{ id: 'create', exchanges }];
  return { id: `pets/${of}`, title, basis: { text: '' }, about, verdict: 'skipped', durationMs: 0, steps };
}

const COSTLY = [
  'sequences/costly-number',
  'a pet whose `categoryId` is a number with 5000 digits gets a documented response',
] as const;
const LENIENT = ['sequences/lenient-json', 'a pet with a comment gets a documented response'] as const;
const usual = scenario('records/create', 'a pet is created', exchange(9, 201), exchange(10, 201), exchange(11, 201));

test('a number that takes many times as long as others, and longer than a second, is a warning', () => {
  expect(listWarnings([usual, scenario(...COSTLY, exchange(4000))])).toEqual([
    'warning: createPet takes 4000 ms for a pet whose `categoryId` is a number with 5000 digits, and 10 ms otherwise',
  ]);
});

test('neither a short time nor one that is usual at the service is a warning', () => {
  expect(listWarnings([usual, scenario(...COSTLY, exchange(900))])).toEqual([]);
  const slow = scenario('records/create', 'a pet is created', exchange(3000, 201), exchange(3100, 201));
  expect(listWarnings([slow, scenario(...COSTLY, exchange(4000))])).toEqual([]);
});

test('what is no JSON and is accepted is a warning, and what is rejected is none', () => {
  expect(listWarnings([scenario(...LENIENT, exchange(5, 201)), scenario(...LENIENT, exchange(5))])).toEqual([
    'warning: createPet accepts a pet with a comment; RFC 8259 section 9 lets a parser read it',
  ]);
});

test('417 to a client that waits until its body is asked for is a warning', () => {
  const waits = scenario(
    'requests/message-with-body',
    'a pet that is sent once its body is asked for',
    exchange(5, 417),
  );
  expect(listWarnings([usual, waits])).toEqual([
    'warning: createPet returns 417 to Expect: 100-continue, which curl sends with long bodies',
  ]);
});
