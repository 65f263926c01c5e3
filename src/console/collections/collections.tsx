import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { printExact } from '../exact-json.js';
import { changes } from '../feed.js';
import { Card } from '../parts/card.js';
import { Choose } from '../parts/form.js';
import { Empty, Problem } from '../parts/states.js';
import { useData } from '../parts/use-data.js';
import { ask, attempt, world } from '../state.js';
import { Editor } from './editor.js';
import { Packs } from './packs.js';
import { RecordTable, type Entry } from './record-table.js';
import { Snapshots } from './snapshots.js';

/** Does something to the records, and shows what came of it. */
export type Act = (work: () => Promise<unknown>, done: string) => Promise<boolean>;

interface Kept {
  name: string;
  /** The property that is the key of a record. */
  key?: string;
  within: string[];
}

/** What the mock keeps. */
export function Collections(): JSX.Element {
  const [name, setName] = useState('');
  const list = useData(() => ask<{ collections: Kept[] }>('GET /collections'), [world.value]);
  // What belongs to a record of another collection has no place of its own here.
  const all = list.data?.collections.filter(({ within }) => within.length === 0) ?? [];
  const kept = all.find((each) => each.name === name) ?? all[0];
  const load = async (): Promise<Entry[]> => (kept === undefined ? [] : ask<Entry[]>(`GET ${pathOf(kept)}`));
  const { data, problem, reload } = useData(load, [world.value, kept?.name, changes.value]);
  const act: Act = async (work, done) => {
    const isDone = await attempt(work, done);
    await reload();
    return isDone;
  };
  return (
    <div class="stack">
      <Problem text={list.problem ?? problem} />
      {all.length < 2 ? null : (
        <div class="fields-row">
          <Choose
            label="Collection"
            value={kept?.name ?? ''}
            set={setName}
            options={all.map((each) => [each.name, each.name])}
          />
        </div>
      )}
      {kept === undefined || data === undefined ? (
        <Empty title={list.data === undefined ? 'Loading…' : 'The contract keeps no records'} />
      ) : (
        <Records key={kept.name} kept={kept} entries={data} act={act} />
      )}
      <Snapshots act={act} />
      <Packs act={act} />
    </div>
  );
}

const pathOf = ({ name }: Kept): string => `/collections/${encodeURIComponent(name)}`;

function Records({ kept, entries, act }: { kept: Kept; entries: readonly Entry[]; act: Act }): JSX.Element {
  const [open, setOpen] = useState<Entry | 'new' | undefined>(undefined);
  const keyOf = (entry: Entry): unknown => entry[kept.key ?? 'id'];
  const pathTo = (entry: Entry): string => `${pathOf(kept)}/records/${encodeURIComponent(String(keyOf(entry)))}`;
  const save = async (entry: Entry): Promise<void> => {
    const isDone =
      open === 'new' || open === undefined
        ? await act(() => ask(`POST ${pathOf(kept)}`, entry), 'Added')
        : await act(() => ask(`PATCH ${pathTo(open)}`, entry), 'Changed');
    if (isDone) setOpen(undefined);
  };
  const add = (
    <button type="button" class="primary" onClick={() => setOpen('new')}>
      Add
    </button>
  );
  const title = (
    <>
      {kept.name} <span class="hint">{entries.length}</span>
    </>
  );
  return (
    <Card id="records" title={title} action={add}>
      {open === undefined ? null : (
        <Editor
          key={open === 'new' ? 'new' : printExact(keyOf(open))}
          entry={open}
          save={save}
          close={() => setOpen(undefined)}
        />
      )}
      {entries.length === 0 ? (
        <Empty title={`There are no ${kept.name}`} />
      ) : (
        <RecordTable
          entries={entries}
          keyOf={keyOf}
          edit={setOpen}
          remove={(entry) => void act(() => ask(`DELETE ${pathTo(entry)}`), 'Removed')}
        />
      )}
    </Card>
  );
}
