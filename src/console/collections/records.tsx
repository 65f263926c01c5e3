import type { JSX } from 'preact';
import { useMemo, useState, useEffect, useRef } from 'preact/hooks';
import { Card, Empty, Problem, useData, QuietButton, Button } from '../parts/panel.js';
import { SameAs } from '../parts/same-as.js';
import type { KeptCollection, RecordPage, KeptRecord } from '../types.js';
import type { Act } from './act.js';
import { ExportMenu, useImport } from './data.js';
import { Editor, showChoice, choicesOf } from './editor.js';
import {
  choicesInTable,
  listColumns,
  type Field,
  EVERYTHING,
  isEverything,
  nextSort,
  selectRecords,
  NOT_SET,
  type Selection,
  widthOf,
  showValue,
} from './fields.js';
import { pathOf, queryOf, writeWithin, readPage, useChanges, useFields, type Changes, PAGE } from './use-records.js';
import type { Place } from './collections.js';
import { printExact } from '../exact-json.js';
import { isNarrow } from '../state.js';
import { settleFocus } from '../parts/focus.js';
import { useView } from '../parts/virtual-list.js';
import type { Entry } from './draft.js';

interface Props {
  kept: KeptCollection;
  place: Place;
  below: readonly KeptCollection[];
  open: (place: Place) => void;
  on: readonly unknown[];
  act: Act;
}

export function Records(props: Props): JSX.Element {
  const { kept, place, on, act } = props;
  const [page, setPage] = useState(0);
  const { data, problem } = useData(() => readPage(place, page), [...on, page]);
  const fields = useFields(kept);
  const changes = useChanges(kept, place, act);
  const { open } = changes;
  const title = (
    <>
      {[place.name, ...place.within].join(' · ')} <span class="hint">{data?.total}</span>
    </>
  );
  const taken = useImport({ place, fields: fields ?? [], act });
  const add = (
    <span class="actions">
      {fields === undefined ? null : taken.button}
      <ExportMenu place={place} fields={fields ?? []} />
      <Button text="New record" id="new-record" disabled={fields === undefined} class="primary" act={changes.add} />
    </span>
  );
  return (
    <Card id="records" title={title} action={add}>
      <Problem text={problem} />
      {taken.chosen}
      {open === undefined || fields === undefined ? null : (
        <Editor
          key={open.entry === undefined ? '' : `=${changes.keyOf(open.entry)}`}
          before={open.before}
          isNew={open.entry === undefined}
          fields={fields}
          title={open.entry === undefined ? `New ${kept.singular}` : `${kept.singular} ${changes.keyOf(open.entry)}`}
          save={changes.save}
          close={changes.close}
          {...(open.entry === undefined ? {} : { remove: () => changes.remove(open.before) })}
        />
      )}
      {data?.total === 0 ? <Empty title={`There are no ${kept.name}`} /> : null}
      {data === undefined || fields === undefined || data.total === 0 ? null : (
        <>
          <Selected {...props} data={data} fields={fields} changes={changes} />
          <Pages at={page} total={data.total} go={setPage} />
        </>
      )}
      <SameAs
        library={`await mock.collection('${kept.name}'${writeWithin(place)}).list();`}
        admin={{ call: `GET ${pathOf(place)}${queryOf(place)}` }}
      />
    </Card>
  );
}

type SelectedProps = Props & { data: RecordPage; fields: readonly Field[]; changes: Changes };

function Selected({ place, below, open, data, fields, changes }: SelectedProps): JSX.Element {
  const [selection, select] = useState(EVERYTHING);
  const columns = useMemo(
    () =>
      listColumns(
        fields,
        data.records.map(({ record }) => record),
      ),
    [fields, data],
  );
  const choices = useMemo(() => choicesInTable(fields), [fields]);
  const shown = useMemo(() => selectRecords(data.records, selection), [data, selection]);
  return (
    <>
      <Toolbar fields={fields} selection={selection} select={select} shown={shown.length} of={data.records.length} />
      {shown.length === 0 ? (
        <Empty title="No record matches">
          <Button text="Show all" act={() => select(EVERYTHING)} />
        </Empty>
      ) : (
        <RecordTable
          all={data.records}
          shown={shown}
          columns={columns}
          sort={selection.sort}
          sortBy={(name) => select({ ...selection, sort: nextSort(selection.sort, name) })}
          isSelected={!isEverything(selection)}
          keyOf={changes.keyOf}
          below={below}
          openBelow={(name, entry) => open({ name, within: [...place.within, changes.keyOf(entry)] })}
          edit={changes.edit}
          remove={changes.remove}
          choices={choices}
          choose={changes.choose}
        />
      )}
    </>
  );
}

interface ToolbarProps {
  fields: readonly Field[];
  selection: Selection;
  select: (selection: Selection) => void;
  shown: number;
  of: number;
}

function Toolbar({ fields, selection, select, shown, of }: ToolbarProps): JSX.Element {
  const { search, filters } = selection;
  const filter = (name: string, value: string): void =>
    select({ ...selection, filters: { ...filters, [name]: value } });
  return (
    <div class="toolbar" role="search" aria-label="Records">
      <input
        type="search"
        aria-label="Search all values"
        placeholder="Search all values"
        value={search}
        onInput={(event) => select({ ...selection, search: event.currentTarget.value })}
      />
      {fields
        .filter(({ kind }) => kind === 'choice')
        .map((field) => (
          <FieldFilter key={field.name} field={field} value={filters[field.name] ?? ''} set={filter} />
        ))}
      {isEverything(selection) ? null : (
        <QuietButton text="Clear" act={() => select({ ...EVERYTHING, sort: selection.sort })} />
      )}
      <span class="hint" role="status">
        {shown === of ? '' : `${shown} of ${of}`}
      </span>
    </div>
  );
}

type FilterProps = { field: Field; value: string; set: (name: string, value: string) => void };

function FieldFilter({ field, value, set }: FilterProps): JSX.Element {
  const { name, choices, required } = field;
  return (
    <select
      aria-label={name}
      class={value === '' ? '' : 'is-set'}
      value={value}
      onChange={(event) => set(name, event.currentTarget.value)}
    >
      <option value="">{`Any ${name}`}</option>
      {choices.map((choice) => {
        const printed = printExact(choice);
        return (
          <option key={printed} value={printed}>
            {showChoice(printed)}
          </option>
        );
      })}
      {required ? null : <option value={NOT_SET}>not set</option>}
    </select>
  );
}

interface TableProps extends Actions {
  all: readonly KeptRecord[];
  shown: readonly KeptRecord[];
  columns: readonly string[];
  sort: Selection['sort'];
  sortBy: (name: string) => void;
  isSelected: boolean;
  keyOf: (entry: Entry) => string;
}

/** The height of a row in pixels, the same for all, so that a position is a multiplication. */
const ROW = 36;
/** Rows rendered beyond the visible ones, so that scrolling shows no gaps and the Tab key finds a next one. */
const MARGIN = 8;
/** The actions of a row, in characters. */
const ACTIONS = 19;
const NARROW_ACTIONS = 8;
const ORIGIN = 19;

function RecordTable(props: TableProps): JSX.Element {
  const { all, shown, columns, keyOf, below } = props;
  const box = useRef<HTMLDivElement>(null);
  const { view, look } = useView(box);
  useEffect(settleFocus);
  const widths = useMemo(() => columns.map((name) => widthOf(name, all)), [columns, all]);
  const actions =
    (isNarrow.value ? NARROW_ACTIONS : ACTIONS) + below.reduce((sum, each) => sum + wordOf(each).length + 2, 0);
  const width = widths.reduce((sum, each) => sum + each, ORIGIN + actions);
  const from = Math.max(0, Math.min(Math.floor(view.top / ROW), shown.length - 1) - MARGIN);
  const visible = shown.slice(from, Math.ceil((view.top + view.height) / ROW) + MARGIN);
  return (
    <div class="scroll" ref={box} tabIndex={0} role="group" aria-label="List of records" onScroll={look}>
      <table aria-rowcount={shown.length + 1} style={{ minWidth: `${width}ch` }}>
        <colgroup>
          {widths.map((each, index) => (
            <col key={columns[index]} style={{ width: `${each}ch` }} />
          ))}
          <col style={{ width: `${ORIGIN}ch` }} />
          <col style={{ width: `${actions}ch` }} />
        </colgroup>
        <Head {...props} />
        <tbody>
          <Gap rows={from} columns={columns.length + 2} />
          {visible.map((each, index) => (
            <Line
              key={keyOf(each.record)}
              {...props}
              id={keyOf(each.record)}
              kept={each}
              columns={columns}
              at={from + index + 2}
              height={ROW}
            />
          ))}
          <Gap rows={shown.length - from - visible.length} columns={columns.length + 2} />
        </tbody>
      </table>
    </div>
  );
}

function Head({ columns, sort, sortBy }: Pick<TableProps, 'columns' | 'sort' | 'sortBy'>): JSX.Element {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((name) => {
          const direction = sort?.name !== name ? 'none' : sort.down ? 'descending' : 'ascending';
          return (
            <th key={name} scope="col" aria-sort={direction}>
              <Button text={name} title={`Sort by ${name}`} class={`sort is-${direction}`} act={() => sortBy(name)} />
            </th>
          );
        })}
        <th scope="col">from</th>
        <th scope="col" class="cell-actions">
          <span class="sr">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

function Gap({ rows, columns }: { rows: number; columns: number }): JSX.Element | null {
  if (rows <= 0) return null;
  return (
    <tr aria-hidden="true" class="gap">
      <td colSpan={columns} style={{ height: `${rows * ROW}px` }} />
    </tr>
  );
}

interface Actions {
  below: readonly KeptCollection[];
  openBelow: (name: string, entry: Entry) => void;
  edit: (entry: Entry) => void;
  remove: (entry: Entry) => void;
  choices: ReadonlyMap<string, Field>;
  /** Gives a property another value, printed as JSON; `''` takes it out. */
  choose: (entry: Entry, name: string, printed: string) => void;
}

interface LineProps extends Actions {
  id: string;
  kept: KeptRecord;
  columns: readonly string[];
  /** The number of the row in the whole table, counted from 1. */
  at: number;
  height: number;
}

const ORIGINS = { fixture: 'fixtures', changed: 'fixtures, changed', client: 'client' } as const;

function Line(props: LineProps): JSX.Element {
  const { id, kept, columns, at, height, below, openBelow, edit, remove, choices, choose } = props;
  const { record, origin } = kept;
  return (
    <tr aria-rowindex={at} style={{ height: `${height}px` }}>
      {columns.map((name) => {
        const field = choices.get(name);
        if (field === undefined) return <Cell key={name} value={record[name]} />;
        const set = (printed: string): void => choose(record, name, printed);
        return <ChoiceCell key={name} field={field} label={`${name} of ${id}`} value={record[name]} set={set} />;
      })}
      <td class={`origin is-${origin}`}>{ORIGINS[origin]}</td>
      <td class="cell-actions">
        {below.map((each) => (
          <QuietButton text={wordOf(each)} key={each.name} of={`of ${id}`} act={() => openBelow(each.name, record)} />
        ))}
        <QuietButton text="Edit" data-edit={id} aria-label={`Edit ${id}`} act={() => edit(record)} />
        {/* On a phone the values need the room; the form of the record has the button, too. */}
        {isNarrow.value ? null : <QuietButton text="Remove" of={id} act={() => remove(record)} />}
      </td>
    </tr>
  );
}

function wordOf({ name }: KeptCollection): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Longer values than that are not put into the page whole; the form has them. */
const MOST_OF_CELL = 500;

function Cell({ value }: { value: unknown }): JSX.Element {
  if (value === undefined) return <td class="unset">–</td>;
  const whole = showValue(value);
  const text = whole.length > MOST_OF_CELL ? `${whole.slice(0, MOST_OF_CELL)}…` : whole;
  return (
    <td class={typeof value === 'string' ? '' : 'number'} title={text}>
      {text}
    </td>
  );
}

type ChoiceProps = { field: Field; label: string; value: unknown; set: (printed: string) => void };

function ChoiceCell({ field, label, value, set }: ChoiceProps): JSX.Element {
  const printed = value === undefined ? '' : printExact(value);
  const choices = choicesOf(field, printed).filter((choice) => choice !== '' || !field.required || printed === '');
  return (
    <td class="choice">
      <select aria-label={label} value={printed} onChange={(event) => set(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice === '' ? '–' : showChoice(choice)}
          </option>
        ))}
      </select>
    </td>
  );
}

interface PagesProps {
  /** The number of the page, counted from 0. */
  at: number;
  total: number;
  go: (page: number) => void;
}

function Pages({ at: asked, total, go }: PagesProps): JSX.Element | null {
  const last = Math.max(0, Math.ceil(total / PAGE) - 1);
  const at = Math.min(asked, last);
  if (last === 0) return null;
  return (
    <div class="bar">
      <QuietButton text="Previous" disabled={at === 0} act={() => go(at - 1)} />
      <span class="hint">
        {`${at * PAGE + 1} to ${Math.min(total, (at + 1) * PAGE)} of ${total}; search and sort look at these alone`}
      </span>
      <QuietButton text="Next" disabled={at === last} act={() => go(at + 1)} />
    </div>
  );
}
