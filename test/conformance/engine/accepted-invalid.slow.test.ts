import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/conformance/model/result.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { isObject, type JsonValue } from '../../mutation/server/exact-json.js';
import { runPets } from '../support/ask.js';

/** Stores a category that should be refused, as what `store` makes of it; the rest of the pet is read by the base. */
function acceptCategory(store: (categoryId: JsonValue | undefined) => JsonValue | undefined): Change {
  return (base) => ({
    readNewPet: (body, exchange) => {
      const stored = isObject(body) ? store(body.categoryId) : undefined;
      if (!isObject(body) || stored === undefined) return base.readNewPet(body, exchange);
      const read = base.readNewPet({ ...body, categoryId: 1n }, exchange);
      return 'name' in read ? { ...read, categoryId: stored } : read;
    },
  });
}

const doubles = acceptCategory((value) =>
  typeof value === 'bigint' && value >= 2n ** 63n && Number.isFinite(Number(value)) ? BigInt(Number(value)) : undefined,
);
const coerced = acceptCategory((value) =>
  typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : undefined,
);

const find = async (change: Change, only: string[]): Promise<string[]> =>
  [...new Set(listDeviations(await runPets([change], { only })))].toSorted();

function listDeviations({ scenarios }: RunResult): string[] {
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  return exchanges.flatMap(({ operationId, findings }) =>
    findings
      .filter(({ severity }) => severity === 'deviation')
      .map(({ check, rule, at }) => `${operationId}: ${check} ${rule} at ${at.replace(/\d+/g, '*')}`),
  );
}

const ACCEPTED = 'createPet: status expected at status';

test('a service that takes 2^63 and keeps it as a double is not said to have changed it', async () => {
  const headlines = await find(doubles, ['pets/refusals/*', 'pets/sequences/*']);
  // The list holds what should have been refused, which is the truth of every list from then on.
  expect(headlines).toEqual([
    'createPet: body format at body/categoryId',
    ACCEPTED,
    'listPets: body format at body/*/categoryId',
  ]);
});

test('a service that takes "1" for 1 is told that it should have refused it, and nothing else', async () =>
  expect(await find(coerced, ['pets/refusals/*', 'pets/records/*', 'pets/sequences/*'])).toEqual([ACCEPTED]));
