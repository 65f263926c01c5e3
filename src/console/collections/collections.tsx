import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { printExact } from '../exact-json.js';
import { changes } from '../feed.js';
import { Card } from '../parts/card.js';
import { Empty, Problem } from '../parts/states.js';
import { useData } from '../parts/use-data.js';
import { ask, attempt, world } from '../state.js';
import { Editor } from './editor.js';
import { Packs } from './packs.js';
import { RecordTable, type Entry } from './record-table.js';
import { Snapshots } from './snapshots.js';

/** Does something to the records, and shows what came of it. */
export type Act = (work: () => Promise<unknown>, done: string) => Promise<boolean>;

/** What the mock keeps. */
export function Collections(): JSX.Element {
  const load = (): Promise<Entry[]> => ask<Entry[]>('GET /pets');
  const { data, problem, reload } = useData(load, [world.value, changes.value]);
  const act: Act = async (work, done) => {
    const isDone = await attempt(work, done);
    await reload();
    return isDone;
  };
  return (
    <div class="stack">
      <Problem text={problem} />
      {data === undefined ? <Empty title="Loading…" /> : <Records entries={data} act={act} />}
      <Snapshots act={act} />
      <Packs act={act} />
    </div>
  );
}

function Records({ entries, act }: { entries: readonly Entry[]; act: Act }): JSX.Element {
  const [open, setOpen] = useState<Entry | 'new' | undefined>(undefined);
  // The list is newest first; what replaces all is oldest first.
  const replace = (change: (entry: Entry) => Entry[]) => () => ask('PUT /pets', [...entries].reverse().flatMap(change));
  const save = async (entry: Entry): Promise<void> => {
    const isDone =
      open === 'new'
        ? await act(() => ask('POST /pets', entry), 'Added')
        : await act(
            replace((each) => [each['id'] === entry['id'] ? entry : each]),
            'Changed',
          );
    if (isDone) setOpen(undefined);
  };
  const remove = (entry: Entry): Promise<boolean> =>
    act(
      replace((each) => (each['id'] === entry['id'] ? [] : [each])),
      'Removed',
    );
  const add = (
    <button type="button" class="primary" onClick={() => setOpen('new')}>
      Add
    </button>
  );
  return (
    <Card
      id="records"
      title={
        <>
          pets <span class="hint">{entries.length}</span>
        </>
      }
      action={add}
    >
      {open === undefined ? null : (
        <Editor
          key={open === 'new' ? 'new' : printExact(open['id'])}
          entry={open}
          save={save}
          close={() => setOpen(undefined)}
        />
      )}
      {entries.length === 0 ? (
        <Empty title="There are no pets" />
      ) : (
        <RecordTable entries={entries} edit={setOpen} remove={(entry) => void remove(entry)} />
      )}
    </Card>
  );
}
