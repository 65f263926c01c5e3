import { readOnce } from '../../contract/document/document.js';
import { asObject } from '../../contract/document/plain.js';
import { readProperties } from '../../contract/operations/properties.js';
import { resolveAt } from '../../contract/document/references.js';
import { mendRecord } from '../fixtures/mend-record.js';
import type { Fields, StoredRecord } from '../store/stored-record.js';
import { createLoneMaker } from '../values/create-maker.js';
import type { Served } from './served.js';

/** How an operation shows a record, if its form differs from the resource's own. */
interface View {
  /** The properties it shows; `undefined` for all. */
  names: ReadonlySet<string> | undefined;
  schemaPointer: string;
  /** Each record in this form. */
  seen: WeakMap<StoredRecord, Fields>;
}

const readView = readOnce(findView);

/** The records of a list's page as its body has them: in a list, or by their keys. */
export function viewAll(records: readonly StoredRecord[], served: Served): readonly Fields[] | Fields {
  const shown = records.map((stored) => viewRecord(stored, served));
  if (served.role.success.body !== 'map') return shown;
  const key = served.kept.key?.property ?? '';
  return Object.fromEntries(records.map(({ record }, index) => [String(record[key]), shown[index]]));
}

/** A record in the form of the operation's answer. */
export function viewRecord(stored: StoredRecord, served: Served): Fields {
  const view = readView(served);
  if (view === 'whole') return stored.record;
  const known = view.seen.get(stored);
  if (known !== undefined) return known;
  const made = makeView(stored.record, view, served);
  view.seen.set(stored, made);
  return made;
}

function findView({ contract, showsWhole, hide, role }: Served): View | 'whole' {
  const { recordPointer } = role.success;
  if (recordPointer === undefined || (showsWhole && hide === undefined)) return 'whole';
  const { document } = contract;
  const { value, pointer } = resolveAt(document, recordPointer);
  const names = readProperties(document, pointer).map(({ name }) => name);
  const isOpen = names.length === 0 || asObject(value)['additionalProperties'] === true;
  return { names: isOpen ? undefined : new Set(names), schemaPointer: pointer, seen: new WeakMap() };
}

function makeView(whole: Fields, { names, schemaPointer }: View, served: Served): Fields {
  const { contract, kept, role, showsWhole, hide } = served;
  const record = (hide?.(whole) ?? whole) as Fields;
  if (showsWhole) return record;
  const shown =
    names === undefined ? record : Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
  // What the record lacks is each record's own.
  const make = createLoneMaker(`${kept.name} ${String(whole[kept.key?.property ?? ''])}`);
  const mend = (replaces: boolean): Fields | undefined =>
    mendRecord(shown, schemaPointer, contract, { replaces, make, subject: kept.singular });
  // One record in another form costs a list less than all of them.
  return mend(false) ?? (role.role === 'list' ? mend(true) : undefined) ?? shown;
}
