import { writeState, type WorldChanges } from '../world/changes.js';
import type { OpenedCollection } from './collection.js';
import { keyOf, type Key } from './keys.js';
import type { Fields } from './stored-record.js';

/** Makes a collection note every change of its records, with the way back. */
export function trackCollection(collection: OpenedCollection, name: string, changes: WorldChanges): void {
  const inner: Inner = {
    add: collection.add.bind(collection),
    change: collection.change.bind(collection),
    restore: collection.restore.bind(collection),
    putBack: collection.putBack.bind(collection),
  };
  const tracked = { inner, collection, name, changes };
  Object.assign(collection, trackRecords(tracked), trackPlaces(tracked));
}

type Inner = Pick<OpenedCollection, 'add' | 'change' | 'restore' | 'putBack'>;

interface TrackedParts {
  inner: Inner;
  collection: OpenedCollection;
  name: string;
  changes: WorldChanges;
}

function trackRecords({ inner, collection, name, changes }: TrackedParts): Partial<OpenedCollection> {
  return {
    add(fields) {
      const { nextKey } = collection;
      const given = keyOf(fields, collection.key);
      const wasGone = given !== undefined && collection.hadOnce(given);
      const stored = inner.add(fields);
      // Even what could not be added may have used up keys.
      if (stored === undefined) collection.nextKey = nextKey;
      else {
        const { record } = stored;
        changes.note({ do: 'add', in: name, record, next: collection.nextKey }, () => {
          takeBack(collection, keyIn(collection, record), wasGone);
          collection.nextKey = nextKey;
        });
      }
      return stored;
    },
    change(fields) {
      const before = collection.get(keyIn(collection, fields));
      const after = inner.change(fields);
      if (before === undefined || after === undefined) return undefined;
      changes.note({ do: 'change', in: name, record: after.record }, () => void collection.swap(after, before));
      return after;
    },
  };
}

function trackPlaces({ inner, collection, name, changes }: TrackedParts): Partial<OpenedCollection> {
  return {
    remove(key) {
      const before = collection.get(key);
      const at = collection.displace(key);
      if (before === undefined || at === undefined) return false;
      collection.setGone(key, true);
      changes.note({ do: 'remove', in: name, key }, () => collection.place(before, at));
      return true;
    },
    putBack(stored, order) {
      const key = keyIn(collection, stored.record);
      const wasGone = collection.hadOnce(key);
      if (!inner.putBack(stored, order)) return false;
      const at = collection.state().records.indexOf(stored);
      changes.note({ do: 'place', in: name, record: stored.record, at }, () => takeBack(collection, key, wasGone));
      return true;
    },
    // `reset` and `replace` restore a state as well.
    restore(state) {
      const before = collection.whole();
      inner.restore(state);
      changes.note({ do: 'restore', in: name, to: writeState(state) }, () => inner.restore(before));
    },
  };
}

function keyIn(collection: OpenedCollection, record: Fields): Key {
  return keyOf(record, collection.key) as Key;
}

function takeBack(collection: OpenedCollection, key: Key, wasGone: boolean): void {
  collection.displace(key);
  if (wasGone) collection.setGone(key, true);
}
