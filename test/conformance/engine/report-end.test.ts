import { expect, test } from 'vitest';
import type { Look } from '../../../src/conformance/ledger/record-ledger.js';
import { reportFlaky } from '../../../src/conformance/engine/exchange-result.js';
import { findProblems } from '../../../src/conformance/problems/problems.js';
import type { ScenarioResult } from '../../../src/conformance/model/result.js';
import type { Run } from '../../../src/conformance/engine/run.js';
import { shippedContract } from '../../support/shipped.js';

const run = {
  contract: shippedContract,
  prepareOptions: { basePath: '/v1', contract: shippedContract },
  redact: (text: string) => text,
  known: new Map(),
} as unknown as Run;

const wire = { method: 'GET', target: '/v1/pets?limit=100', headers: {}, body: undefined };
const answer = { kind: 'answered', status: 200, headers: {}, bytes: Buffer.from('[]'), durationMs: 1 } as const;
const look: Look = {
  operationId: 'listPets',
  kind: 'list',
  wire,
  request: 'whole',
  path: '/pets',
  of: '/pets',
  shows: [],
  answer,
  sentAt: 1,
  answeredAt: 2,
};

const passed: ScenarioResult = {
  id: 'list/every-time[first]',
  title: 'a list conforms to the contract every time it is read',
  basis: { text: '#/paths/~1pets/get' },
  verdict: 'passed',
  durationMs: 1,
  steps: [
    {
      id: 'longest',
      asks: 'laterPage',
      exchanges: [
        {
          operationId: 'listPets',
          request: { method: 'GET', path: '/pets?limit=100', auth: 'valid', headers: {} },
          response: { status: 200, headers: {}, body: '[{}]' },
          durationMs: 1,
          findings: [],
        },
      ],
    },
  ],
};

function tell(count: number): { told: ScenarioResult[]; notes: string[] } {
  const firm = Array.from({ length: count }, () => look);
  const notes = new Map<string, number>();
  const unsteady = { operationId: 'listPets', kind: 'list', wrong: firm, firm, of: 71 } as const;
  return { told: reportFlaky([unsteady], [passed], { run, notes }), notes: [...notes.keys()] };
}

test('what a run met once alone is a note, and changes no verdict', () => {
  const { told, notes } = tell(1);
  expect(told).toEqual([passed]);
  expect(notes).toEqual([expect.stringMatching(/^listPets once lacked records .* \(1 of 71 responses\)/)]);
});

test('what it met twice is a problem, in the scenario that asked for it', () => {
  const { told, notes } = tell(2);
  expect(notes).toEqual([]);
  expect(told.map(({ id, verdict, steps }) => [id, verdict, steps[0]?.asks])).toEqual([
    [passed.id, 'deviated', 'laterPage'],
  ]);
  expect(findProblems({ scenarios: told }).map(({ headline }) => headline)).toEqual([
    'Flaky: listPets returns 2 of 71 lists without records that exist',
  ]);
});
