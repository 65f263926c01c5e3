import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { printExact } from '../exact-json.js';
import { Card } from '../parts/card.js';
import { Empty, Problem } from '../parts/states.js';
import { SameAs } from '../parts/same-as.js';
import { useData } from '../parts/use-data.js';
import { ask } from '../state.js';
import type { KeptCollection, RecordPage } from '../types.js';
import type { Act } from './collections.js';
import { Editor } from './editor.js';
import { makePatch } from './make-patch.js';
import type { Place } from './place.js';
import { PAGE, RecordTable, type Entry } from './record-table.js';

interface Props {
  kept: KeptCollection;
  place: Place;
  /** The collections that belong to a record of this collection. */
  below: readonly KeptCollection[];
  open: (place: Place) => void;
  /** A change of this value reloads the records. */
  on: readonly unknown[];
  act: Act;
}

/** The records of one collection. */
export function Records(props: Props): JSX.Element {
  const { kept, place, on } = props;
  const [page, setPage] = useState(0);
  const { data, problem } = useData(() => readPage(place, page), [...on, page]);
  const { open, setOpen, save, remove, keyOf } = useChanges(props);
  const title = (
    <>
      {[place.name, ...place.within].join(' · ')} <span class="hint">{data?.total}</span>
    </>
  );
  const add = (
    <button type="button" class="primary" onClick={() => setOpen('new')}>
      Add
    </button>
  );
  return (
    <Card id="records" title={title} action={add}>
      <Problem text={problem} />
      {open === undefined ? null : (
        <Editor
          key={open === 'new' ? 'new' : printExact(keyOf(open))}
          entry={open}
          create={kept.create}
          save={save}
          close={() => setOpen(undefined)}
        />
      )}
      {data?.total === 0 ? <Empty title={`There are no ${kept.name}`} /> : null}
      {data === undefined || data.total === 0 ? null : (
        <RecordTable
          page={data}
          at={page}
          go={setPage}
          keyOf={keyOf}
          below={props.below}
          openBelow={(name, entry) => props.open({ name, within: [...place.within, String(keyOf(entry))] })}
          edit={setOpen}
          remove={remove}
        />
      )}
      <SameAs
        library={`await mock.collection('${kept.name}'${writeWithin(place)}).list();`}
        admin={{ call: `GET ${pathOf(place)}${query(place)}` }}
      />
    </Card>
  );
}

interface Changes {
  /** The record being changed or created. */
  open: Entry | 'new' | undefined;
  setOpen: (open: Entry | 'new' | undefined) => void;
  save: (entry: Entry) => Promise<void>;
  remove: (entry: Entry) => void;
  keyOf: (entry: Entry) => unknown;
}

function useChanges({ kept, place, act }: Props): Changes {
  const [open, setOpen] = useState<Entry | 'new' | undefined>(undefined);
  const keyOf = (entry: Entry): unknown => (kept.key === undefined ? '_' : entry[kept.key]);
  const pathTo = (entry: Entry): string =>
    `${pathOf(place)}/records/${encodeURIComponent(String(keyOf(entry)))}${query(place)}`;
  const save = async (entry: Entry): Promise<void> => {
    const isDone =
      open === 'new' || open === undefined
        ? await act(() => ask(`POST ${pathOf(place)}${query(place)}`, entry), 'Added')
        : await act(() => ask(`PATCH ${pathTo(open)}`, makePatch(open, entry)), 'Changed');
    if (isDone) setOpen(undefined);
  };
  const remove = (entry: Entry): void => void act(() => ask(`DELETE ${pathTo(entry)}`), 'Removed');
  return { open, setOpen, save, remove, keyOf };
}

function pathOf({ name }: Place): string {
  return `/collections/${encodeURIComponent(name)}`;
}

/** If the page is past the end because records were removed, the last page is shown. */
async function readPage(place: Place, page: number): Promise<RecordPage> {
  const within = place.within.map((key) => `&within=${encodeURIComponent(key)}`).join('');
  const where = `collection=${encodeURIComponent(place.name)}${within}&limit=${PAGE}`;
  const found = await ask<RecordPage>(`GET /console/records?${where}&offset=${page * PAGE}`);
  if (found.records.length > 0 || found.total === 0) return found;
  return ask<RecordPage>(`GET /console/records?${where}&offset=${Math.floor((found.total - 1) / PAGE) * PAGE}`);
}

function query({ within }: Place): string {
  if (within.length === 0) return '';
  // Commas separate the keys; a comma within a key is escaped once more.
  return `?within=${encodeURIComponent(within.map(encodeURIComponent).join(','))}`;
}

function writeWithin({ within }: Place): string {
  return within.length === 0 ? '' : `, { within: ${JSON.stringify(within)} }`;
}
