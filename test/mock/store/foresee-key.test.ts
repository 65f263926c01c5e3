import { expect, test } from 'vitest';
import { packageFile } from '../../../src/package-files.js';
import type { Key, Kept } from '../../../src/mock/store/kept.js';
import type { World } from '../../../src/mock/world/world.js';
import { setUp } from '../../../src/server/set-up.js';

const SPECS = [
  'spec/petstore.openapi.yaml',
  'test/support/tickets.openapi.yaml',
  'test/conformance/resources/support/toolshed.openapi.yaml',
  'test/conformance/resources/support/workshop.openapi.yaml',
  'test/conformance/resources/support/rooms.openapi.yaml',
  'test/conformance/resources/support/payees.openapi.yaml',
];

/** The keys of the first parents there are, outermost first. */
function findParents({ parent }: Kept, { collections }: World): Key[] {
  const above = collections.kept.find(({ name }) => name === parent?.resource);
  if (above === undefined) return [];
  const within = findParents(above, { collections } as World);
  const key = collections.foresee(above, within, 'first');
  return key === undefined ? within : [...within, key];
}

test.each(SPECS)('the keys of %s are foreseen as the records have them once they are made', (spec) => {
  const { world } = setUp({ spec: packageFile(spec), prism: false });
  const { collections } = world;
  const asked = collections.kept.filter(({ key }) => key !== undefined);
  const ends = (kept: Kept): unknown[] =>
    (['first', 'last'] as const).map((turn) => collections.foresee(kept, findParents(kept, world), turn));
  const foreseen = asked.map(ends);
  for (const kept of asked) {
    const within = findParents(kept, world);
    const next = collections.foresee(kept, within, 'next');
    expect(next === undefined ? undefined : collections.open(kept, within).get(next)).toBeUndefined();
  }
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.map(ends)).toEqual(foreseen);
});
