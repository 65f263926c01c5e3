import { expect, test } from 'vitest';
import { confirmMove } from '../../../src/conformance/confirm/confirm.js';
import { printChoice, RecordLedger } from '../../../src/conformance/ledger/record-ledger.js';
import { RunTexts } from '../../../src/conformance/ledger/run-texts.js';
import type { WireRequest } from '../../../src/conformance/model/exchange.js';
import type { Run } from '../../../src/conformance/engine/run.js';
import { readSubjects, type Subject } from '../../../src/conformance/resources/resource-under-test.js';
import { shippedContract } from '../../support/shipped.js';

const pets = readSubjects(shippedContract)[0] as Subject;
const keys = { apiKey: 'key', credentials: {}, tokens: [] };
const asked: WireRequest = { method: 'GET', target: '/v1/pets/7', headers: {}, body: undefined };
const pet = (status: string): object => ({ id: 7, name: 'Rex', categoryId: 1, status });

/** What is made of pet 7, created as sold: how its own address shows it, and what lists show. */
async function look(own: string, listed: readonly object[]): Promise<unknown> {
  const ledger = new RecordLedger(shippedContract, new RunTexts('x'));
  ledger.learned.keptChoices.add(printChoice(pets, 'status', 'sold'));
  const notes: string[] = [];
  const run = {
    ledger,
    contract: shippedContract,
    prepareOptions: {
      basePath: '/v1',
      contract: shippedContract,
      keys,
      parameters: {},
      extraHeaders: {},
      userAgent: 'x',
    },
    signal: new AbortController().signal,
    strict: false,
    note: (note: string) => notes.push(note),
    send: ({ target }: WireRequest) =>
      Promise.resolve({
        kind: 'answered',
        status: 200,
        headers: { 'content-type': 'application/json' },
        bytes: Buffer.from(JSON.stringify(target.startsWith('/v1/pets/7') ? pet(own) : listed)),
        durationMs: 1,
      }),
  } as unknown as Run;
  const outcome = await confirmMove({ of: 'move', id: 7, field: 'status', expected: 'sold' } as never, asked, run);
  return [outcome, notes.length, ledger.learned.moving.size];
}

test('views that disagree are a defect, and views that agree a state that moved', async () => {
  expect(await look('pending', [pet('sold')])).toEqual(['defect', 0, 0]);
  expect(await look('pending', [pet('pending')])).toEqual(['fine', 1, 1]);
});

test('a look that sees the record in one way alone says nothing, and calls nothing moved', async () => {
  expect(await look('pending', [])).toEqual([
    { needs: expect.stringContaining('a second response with the record') },
    0,
    0,
  ]);
});
