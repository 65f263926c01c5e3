import { expect, test } from 'vitest';
import { runConformance, type RunResult } from '../../src/conformance/index.js';
import { packageFile } from '../../src/package-files.js';
import { startMock } from '../support/started-mock.js';

const spec = packageFile('examples/store-orders/petstore.openapi.yaml');

const judge = async (options: { target: string; spec: string }): Promise<RunResult> =>
  runConformance({ ...options, apiKey: 'petstore-dev-key', concurrency: 8 });

test("the runner and the mock agree on a team's own contract", async () => {
  const mock = await startMock({ spec });
  const { summary, scenarios, coverage } = await judge({ target: mock.url, spec });
  expect(summary.deviated).toBe(0);
  expect(summary.passed).toBeGreaterThan(200);
  expect(scenarios.find(({ id }) => id === 'pets/lists/filter-alone[status-reserved]')?.verdict).toBe('passed');
  // A page of more than 50 is not allowed there; nobody asks for one as if it were.
  expect(scenarios.find(({ id }) => id === 'pets/lists/limit-at-bounds[50]')?.verdict).toBe('passed');
  const limits = scenarios.map(({ id }) => Number(/^pets\/lists\/limit[\w-]*\[(\d+)\]$/.exec(id)?.[1] ?? 0));
  expect(Math.max(...limits)).toBe(50);
  // What reads is called, also where no resource has it.
  const missing = coverage.missing.map(({ id }) => id);
  expect(missing).not.toContain('getInventory is called');
  expect(missing).not.toContain('createOrder is called');
  const unsent = coverage.missing.find(({ id }) => id === 'getOrder is sent path/orderId = 1');
  expect(unsent?.contract.file).toMatch(/orders\.yaml$/);
});

test("a service that keeps the shipped contract deviates from the team's", async () => {
  const mock = await startMock({ fixtures: 'default' });
  const { summary, scenarios } = await judge({ target: mock.url, spec });
  expect(summary.deviated).toBeGreaterThan(0);
  expect(scenarios.find(({ id }) => id === 'pets/records/create')?.verdict).toBe('deviated');
});
