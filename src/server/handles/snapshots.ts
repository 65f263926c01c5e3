import { PetstoreMockError } from '../../errors.js';
import { prepareState } from '../../mock/store/memory-store.js';
import { runInTurns } from '../../mock/fixtures/in-steps.js';
import type { World } from '../../mock/world/world.js';
import type { Snapshots } from '../petstore-world.js';
import { storeFull } from './pets.js';
import { checkRoom } from './use-fixtures.js';

const MAX_SNAPSHOTS = 100;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function createSnapshots(find: () => World): Snapshots {
  return {
    async save(name) {
      const { snapshots, store } = find();
      checkName(name);
      if (!snapshots.has(name) && snapshots.names().length >= MAX_SNAPSHOTS) {
        throw badSnapshot(`there are ${MAX_SNAPSHOTS} snapshots already; remove one first.`);
      }
      if (!snapshots.save(name, store.state())) throw storeFull(store);
    },
    async restore(name) {
      const { snapshots, store } = find();
      const state = snapshots.get(name);
      if (state === undefined) {
        const names = snapshots.names();
        throw badSnapshot(
          `there is no snapshot ${name}; there ${names.length === 0 ? 'is none' : `are ${names.join(', ')}`}.`,
        );
      }
      if (!store.fits(state)) throw storeFull(store, state.pets.length);
      store.restore(state);
    },
    list: async () => find().snapshots.names(),
    remove: async (name) => find().snapshots.remove(name),
    async export() {
      const { printPack } = await import('../../mock/fixtures/pack-text.js');
      return printPack(find().store.state());
    },
    async load(pack) {
      const { loadPack } = await import('../../mock/fixtures/pack-text.js');
      const { store, contract } = find();
      const steps = loadPack(pack, contract, (pets) => checkRoom(pets, store));
      const { pets, nextId } = await runInTurns(steps);
      const prepared = prepareState(pets, nextId);
      if (!store.fits(prepared)) throw storeFull(store);
      store.restore(prepared);
    },
  };
}

function checkName(name: string): void {
  if (typeof name === 'string' && NAME.test(name)) return;
  throw badSnapshot(
    'a name must have up to 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.',
  );
}

function badSnapshot(message: string): PetstoreMockError {
  return new PetstoreMockError('bad-snapshot', message);
}
