import { expect, test } from 'vitest';
import type { Engine } from '../../../src/server/lasting/shared/engine.js';
import { keepMembers } from '../../../src/server/lasting/shared/recover.js';

test('an engine that has lost its data does not make a replica forget the others', async () => {
  let members = ['me', 'other'];
  const engine: Engine = {
    run: async () => members,
    call: async () => undefined,
    key: (name) => name,
    problem: undefined,
    shown: 'redis',
    close: () => {},
  };
  const kept = keepMembers(engine, 'me', () => false);
  await kept.stay();
  members = ['me'];
  await kept.stay();
  expect(kept.list()).toEqual(['me', 'other']);
});
