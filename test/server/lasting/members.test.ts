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
  const { stay, list } = keepMembers(engine, 'me', () => false);
  await stay();
  members = ['me'];
  await stay();
  expect(list()).toEqual(['me', 'other']);
});
