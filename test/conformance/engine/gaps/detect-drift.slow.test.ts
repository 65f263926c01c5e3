import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runConformance } from '../../../../src/conformance/index.js';
import type { DriftResult } from '../../../../src/conformance/model/result.js';
import { writeProfile } from '../../../../src/conformance/product/profile-and-baseline.js';
import { startMutationServer } from '../../../mutation/server/start-server.js';
import type { VariantId } from '../../../mutation/variants/index.js';
import { makeFolder } from '../../../support/folder.js';
import { words } from '../../../support/words.js';

const folder = makeFolder();
const ONLY = words`
  petstore/* pets/gaps/* pets/service/* pets/refusals/credentials[list] pets/records/unknown pets/refusals/create*
`;

async function run(variant: VariantId | undefined, profile?: string) {
  const server = await startMutationServer(variant === undefined ? {} : { variant });
  try {
    return await runConformance({ target: server.url, apiKey: server.apiKey, only: ONLY, profile });
  } finally {
    await server.close();
  }
}

/** What has changed, by gap, since a profile of one legal server when another one is asked. */
async function drift(before: VariantId | undefined, now: VariantId | undefined): Promise<DriftResult['changes']> {
  const file = join(folder, `${before ?? 'strict'}.profile.yaml`);
  writeFileSync(file, writeProfile(await run(before)));
  return (await run(now, file)).drift?.changes ?? [];
}

test('a server that does the same has not changed', async () =>
  expect(await drift('wrong-methods-404', 'wrong-methods-404')).toEqual([]));

test('a change is found in both directions, and no other', async () => {
  expect(await drift(undefined, 'wrong-methods-404')).toEqual([
    { id: 'wrong-method', before: 'refused-405', now: 'not-found' },
  ]);
  expect(await drift('wrong-methods-404', undefined)).toEqual([
    { id: 'wrong-method', before: 'not-found', now: 'refused-405' },
  ]);
});

test('codes that are spelled otherwise are a change, further codes are none', async () => {
  expect((await drift(undefined, 'codes-in-capitals')).map(({ id }) => id)).toEqual(['error-codes']);
  expect((await drift('codes-in-capitals', undefined)).map(({ id }) => id)).toEqual(['error-codes']);
  expect((await drift(undefined, 'head-405')).map(({ id }) => id)).toEqual(['head']);
});
