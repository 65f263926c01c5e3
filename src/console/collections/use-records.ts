import { useState } from 'preact/hooks';
import { parseExact } from '../exact-json.js';
import { files } from '../feed.js';
import { moveFocus } from '../parts/focus.js';
import { useData } from '../parts/panel.js';
import { ask, world } from '../state.js';
import type { Example, KeptCollection, RecordPage, RecordSchema } from '../types.js';
import type { Act } from './act.js';
import { type Entry, makePatch } from './draft.js';
import { listFields, type Field } from './fields.js';
import type { Place } from './collections.js';

/** How many records are read at once, and searched and sorted together. */
export const PAGE = 2000;

export async function readPage(place: Place, page: number): Promise<RecordPage> {
  const where = `${namePlace(place)}&limit=${PAGE}`;
  const found = await ask<RecordPage>(`GET /console/records?${where}&offset=${page * PAGE}`);
  if (found.records.length > 0 || found.total === 0) return found;
  return ask<RecordPage>(`GET /console/records?${where}&offset=${Math.floor((found.total - 1) / PAGE) * PAGE}`);
}

export function useFields({ name, key }: KeptCollection): readonly Field[] | undefined {
  const read = async (): Promise<readonly Field[]> =>
    listFields(await ask<RecordSchema>(`GET ${pathOf({ name, within: [] })}/schema`), key);
  return useData(read, [name, world.value, files.value.changed]).data;
}

interface Open {
  /** The record being changed; `undefined` for a new one. */
  entry: Entry | undefined;
  before: Entry;
}

export interface Changes {
  open: Open | undefined;
  edit: (entry: Entry) => void;
  add: () => void;
  close: () => void;
  save: (entry: Entry) => Promise<void>;
  remove: (entry: Entry) => void;
  /** Gives one property another value, printed as JSON; `''` takes it out. */
  choose: (entry: Entry, name: string, printed: string) => void;
  keyOf: (entry: Entry) => string;
}

/** The name of the only record of a collection that has no keys. */
const ONLY = '_';

export function useChanges(kept: KeptCollection, place: Place, act: Act): Changes {
  const [open, setOpen] = useState<Open | undefined>(undefined);
  const keyOf = (entry: Entry): string => (kept.key === undefined ? ONLY : String(entry[kept.key]));
  const pathTo = (entry: Entry): string =>
    `${pathOf(place)}/records/${encodeURIComponent(keyOf(entry))}${queryOf(place)}`;
  const nameOf = (entry: Entry): string =>
    kept.key === undefined ? kept.singular : `${kept.singular} ${keyOf(entry)}`;
  const leave = (key: string | undefined): void => {
    moveFocus('#new-record', key === undefined ? '#new-record' : editOf(key));
    setOpen(undefined);
  };
  const save = async (entry: Entry): Promise<void> => {
    const before = open?.entry;
    // A refusal is told in the form.
    const saved =
      before === undefined
        ? await ask<Entry>(`POST ${pathOf(place)}${queryOf(place)}`, entry)
        : await ask<Entry>(`PATCH ${pathTo(before)}`, makePatch(before, entry));
    await act(async () => {}, `${before === undefined ? 'Added' : 'Changed'} ${nameOf(saved)}`);
    leave(keyOf(saved));
  };
  const remove = async (entry: Entry): Promise<void> => {
    const key = keyOf(entry);
    moveFocus('#new-record', '#undo');
    const back = {
      of: `&${namePlace(place)}&key=${encodeURIComponent(key)}`,
      done: `${nameOf(entry)} is back`,
      focus: editOf(key),
    };
    const isDone = await act(() => ask(`DELETE ${pathTo(entry)}`), `Removed ${nameOf(entry)}`, back);
    if (isDone && open?.entry !== undefined && keyOf(open.entry) === key) setOpen(undefined);
  };
  const choose = (entry: Entry, name: string, printed: string): void => {
    const patch = { [name]: printed === '' ? null : parseExact(printed) };
    void act(() => ask(`PATCH ${pathTo(entry)}`, patch), `Changed ${name} of ${nameOf(entry)}`);
  };
  return {
    open,
    edit: (entry) => setOpen({ entry, before: entry }),
    add: () => void readExample(kept).then((before) => setOpen({ entry: undefined, before })),
    close: () => leave(open?.entry === undefined ? undefined : keyOf(open.entry)),
    save,
    remove: (entry) => void remove(entry),
    choose,
    keyOf,
  };
}

const editOf = (key: string): string => `[data-edit="${CSS.escape(key)}"]`;

async function readExample({ create }: KeptCollection): Promise<Entry> {
  if (create === undefined) return {};
  const example = await ask<Partial<Example>>(`GET /console/example?of=${encodeURIComponent(create)}`).catch(
    () => ({}),
  );
  const value = 'json' in example && example.json !== undefined ? parseExact(example.json) : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : {};
}

export const pathOf = ({ name }: Place): string => `/collections/${encodeURIComponent(name)}`;

export function queryOf({ within }: Place): string {
  if (within.length === 0) return '';
  // Commas separate the keys; a comma within a key is escaped once more.
  return `?within=${encodeURIComponent(within.map(encodeURIComponent).join(','))}`;
}

const namePlace = ({ name, within }: Place): string =>
  `collection=${encodeURIComponent(name)}${within.map((key) => `&within=${encodeURIComponent(key)}`).join('')}`;

export const writeWithin = ({ within }: Place): string =>
  within.length === 0 ? '' : `, { within: ${JSON.stringify(within)} }`;
