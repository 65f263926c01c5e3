import { expect, test } from 'vitest';
import type { ProfileAnswer } from '../../../../src/contract/gaps/profile.js';
import { runConformance } from '../../../../src/conformance/index.js';
import { startPetstoreMock, type PetstoreProfile } from '../../../../src/index.js';

/** What the runner says, by gap, of a mock that does as the profile says. */
async function observe(gaps: PetstoreProfile['gaps'], only: string[]): Promise<Record<string, ProfileAnswer>> {
  await using mock = await startPetstoreMock({ count: 50, profile: { gaps } });
  const result = await runConformance({ target: mock.url, apiKey: 'petstore-dev-key', only });
  expect(result.scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id)).toEqual([]);
  return Object.fromEntries(result.gaps.map(({ id, answer }) => [id, answer]));
}

test('a name limit past every length that is tried counts as none', async () => {
  const seen = await observe({ 'name-length-limit': 64_000 }, ['pets/gaps/text-length-limit*']);
  expect(seen['name-length-limit']).toBe('none');
});

test('a Deprecation is found as it is sent, and codes by operation and status', async () => {
  const since = '@1767225600';
  const codes = ['createPet 400 BAD_PET', 'getPet 404 NO_PET', 'listPets 400 BAD_QUERY'];
  const seen = await observe({ 'deprecation-header': since, 'error-codes': codes }, [
    'petstore/*',
    'service/*',
    'pets/*',
  ]);
  expect(seen['deprecation-header']).toBe(since);
  expect(seen['error-codes']).toEqual(expect.arrayContaining(codes));
  expect(seen['error-codes']).not.toContain('getPet 404 not_found');
});
