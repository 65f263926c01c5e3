import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { loadContract } from '../../../src/contract/contract.js';
import { consentFor } from '../../../src/conformance/engine/run.js';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { packageFile } from '../../../src/package-files.js';
import { listLeft } from '../../../src/report/problems.js';
import { specOf } from '../resources/support/judge-service.js';
import { startService } from '../resources/support/service.js';
import { DESK_KEY, helpdesk } from '../resources/support/services.js';

interface Visit {
  result: RunResult;
  /** How many agents there are afterwards; six were there before. */
  agents: number;
}

async function visit(options: Partial<ConformanceOptions>, ...changes: string[]): Promise<Visit> {
  const desk = await startService(helpdesk, ...changes);
  try {
    const only = ['agents/records/*', 'agents/changes/*'];
    const given = { target: desk.url, apiKey: DESK_KEY, spec: specOf('helpdesk'), settleMs: 30, only };
    const result = await runConformance({ ...given, ...options });
    const response = await fetch(`${desk.url}/agents?limit=40`, { headers: { 'X-Desk-Key': DESK_KEY } });
    return { result, agents: ((await response.json()) as unknown[]).length };
  } finally {
    await desk.close();
  }
}

test('what the run created is gone when it ends', async () => {
  const { result, agents } = await visit({});
  expect([agents, result.summary.deviated, result.leftBehind]).toEqual([6, 0, undefined]);
});

test('it stays when the user keeps it', async () => {
  const { result, agents } = await visit({ keep: true });
  expect(agents).toBeGreaterThan(6);
  const left = result.leftBehind?.find(({ many }) => many === 'agents');
  expect(left).toMatchObject({ many: 'agents', count: agents - 6, why: 'as --keep asks' });
  expect(left?.keys).toHaveLength(agents - 6);
});

test('what the target does not remove is told', async () => {
  const { result, agents } = await visit({}, 'agents:delete-refused');
  expect(agents).toBeGreaterThan(6);
  expect(listLeft(result).filter((line) => line.includes('agents'))).toEqual([
    expect.stringMatching(
      /^leftover: \d+ created agents, since the target did not remove what the run deleted: DELETE http:.*\/agents\//,
    ),
  ]);
});

test('without consent nothing is changed or removed, and what is left is told', async () => {
  const { result } = await visit({ may: ['create'] });
  const skipped = result.scenarios.filter(({ verdict }) => verdict === 'skipped').map(({ reason }) => reason);
  expect(new Set(skipped)).toEqual(
    new Set(['it would update a record (--may update)', 'it would remove a record (--may remove)']),
  );
  expect(listLeft(result).join('\n')).toMatch(
    /leftover: \d+ created agents, since the run may not remove any \(--may create,update,remove/,
  );
});

test('a PUT needs consent to create only where the run itself has found its key to be free, whatever a step is called', () => {
  const contract = loadContract(packageFile('test/conformance/resources/shop.openapi.yaml'));
  const named = { operationId: 'replaceOrder', parameters: { orderId: '$steps.free-order.outputs.key' } };
  expect(consentFor({ ...named, isAtNewKey: false }, contract)).toBe('update');
  expect(consentFor({ ...named, isAtNewKey: true }, contract)).toBe('create');
});

test('a run that is interrupted takes along what it created', async () => {
  const stop = new AbortController();
  let finished = 0;
  const onEvent = ({ type }: { type: string }): void => {
    if (type === 'scenarioFinished' && ++finished === 4) stop.abort('the user');
  };
  const { result, agents } = await visit({ signal: stop.signal, onEvent, concurrency: 1 });
  expect([result.interrupted, agents]).toEqual([true, 6]);
  expect(result.summary.created).toBeGreaterThan(0);
});
