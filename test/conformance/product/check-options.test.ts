import { expect, test } from 'vitest';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';

const target = 'http://127.0.0.1:1/v1';
const needsKey = 'apiKey must be a text, the key that the target accepts; empty if the contract requires none.';

test.each<[unknown, string]>([
  [undefined, 'runConformance takes options: { target, apiKey }.'],
  [{ target }, needsKey],
  [{ target, apiKey: 5 }, needsKey],
  [{ apiKey: 'k' }, 'the target is not a URL; give the base URL, such as http://127.0.0.1:4010/v1.'],
  [{ target, apiKey: 'k', only: 'list/*' }, 'only must be a list of texts.'],
  [{ target, apiKey: 'k', concurrency: '4' }, 'concurrency must be a number from 0.'],
  [{ target, apiKey: 'k', settleMs: Number.NaN }, 'settleMs must be a number from 0.'],
  [{ target, apiKey: 'k', strict: 'yes' }, 'strict must be true or false.'],
  [{ target, apiKey: 'k', onEvent: {} }, 'onEvent must be a function.'],
  [{ target, apiKey: 'k', signal: {} }, 'signal must be an AbortSignal.'],
  [{ target, apiKey: 'k', headers: ['a: b'] }, 'headers must be an object.'],
])('what a compiler would have refused is told: %s', async (options, said) => {
  const running = runConformance(options as ConformanceOptions);
  await expect(running).rejects.toMatchObject({ code: 'bad-option' });
  await expect(running).rejects.toThrow(said);
});
