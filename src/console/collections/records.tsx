import { Search, Select } from '../parts/form.js';
import type { JSX } from 'preact';
import { useMemo, useState, useEffect, useRef } from 'preact/hooks';
import { Card, Empty, Problem, useData, QuietButton, Button } from '../parts/panel.js';
import { SameAs } from '../parts/same-as.js';
import type { KeptCollection, RecordPage, KeptRecord } from '../types.js';
import type { Act } from './act.js';
import { ExportMenu, useImport } from './data.js';
import { Editor, showChoice, choicesOf } from './editor.js';
import * as fieldList from './fields.js';
import { pathOf, queryOf, writeWithin, readPage, useChanges, useFields, type Changes, PAGE } from './use-records.js';
import type { Place } from './collections.js';
import { printExact } from '../exact-json.js';
import { isNarrow } from '../state.js';
import { settleFocus } from '../parts/focus.js';
import { useView } from '../parts/virtual-list.js';

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

/** The height of a row in pixels, the same for all, so that a position is a multiplication. */
const ROW = 36;
/** Rows rendered beyond the visible ones, so that scrolling shows no gaps and the Tab key finds a next one. */
const MARGIN = 8;
/** The actions of a row, in characters. */
const ACTIONS = 19;
const NARROW_ACTIONS = 8;
const ORIGIN = 19;

type SelectedProps = Props & { data: RecordPage; fields: readonly fieldList.Field[]; changes: Changes };

function Selected({ data, fields, ...props }: SelectedProps): JSX.Element {
  const all = data.records;
  const [selection, select] = useState(fieldList.EVERYTHING);
  const { search, filters, sort } = selection;
  const records = useMemo(() => all.map(({ record }) => record), [data]);
  const columns = useMemo(() => fieldList.listColumns(fields, records), [fields, data]);
  const shown = useMemo(() => fieldList.selectRecords(all, selection), [data, selection]);
  const filter = (name: string, value: string): void =>
    select({ ...selection, filters: { ...filters, [name]: value } });
  return (
    <>
      <div class="toolbar" role="search" aria-label="Records">
        <Search label="Search all values" value={search} set={(text) => select({ ...selection, search: text })} />
        {fields
          .filter(({ kind }) => kind === 'choice')
          .map(({ name, choices, required }) => (
            <Select
              key={name}
              aria-label={name}
              class={(filters[name] ?? '') === '' ? '' : 'is-set'}
              value={filters[name] ?? ''}
              set={(value) => filter(name, value)}
              options={[
                ['', `Any ${name}`],
                ...choices.map((each) => printExact(each)).map((printed) => [printed, showChoice(printed)] as const),
                ...(required ? [] : [[fieldList.NOT_SET, 'not set'] as const]),
              ]}
            />
          ))}
        {fieldList.isEverything(selection) ? null : (
          <QuietButton text="Clear" act={() => select({ ...fieldList.EVERYTHING, sort })} />
        )}
        <span class="hint" role="status">
          {shown.length === all.length ? '' : `${shown.length} of ${all.length}`}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty title="No record matches">
          <Button text="Show all" act={() => select(fieldList.EVERYTHING)} />
        </Empty>
      ) : (
        <RecordTable
          {...{ ...props, all, shown, columns, fields, sort }}
          sortBy={(name) => select({ ...selection, sort: fieldList.nextSort(sort, name) })}
        />
      )}
    </>
  );
}

interface TableProps extends Omit<SelectedProps, 'data'> {
  all: readonly KeptRecord[];
  shown: readonly KeptRecord[];
  columns: readonly string[];
  sort: fieldList.Selection['sort'];
  sortBy: (name: string) => void;
}

function RecordTable(props: TableProps): JSX.Element {
  const { all, shown, columns, fields, changes, below, sort, sortBy } = props;
  const box = useRef<HTMLDivElement>(null);
  const { view, look } = useView(box);
  useEffect(settleFocus);
  const choices = useMemo(() => fieldList.choicesInTable(fields), [fields]);
  const widths = useMemo(() => columns.map((name) => fieldList.widthOf(name, all)), [columns, all]);
  const actions =
    (isNarrow.value ? NARROW_ACTIONS : ACTIONS) + below.reduce((sum, each) => sum + wordOf(each).length + 2, 0);
  const width = widths.reduce((sum, each) => sum + each, ORIGIN + actions);
  const from = Math.max(0, Math.min(Math.floor(view.top / ROW), shown.length - 1) - MARGIN);
  const visible = shown.slice(from, Math.ceil((view.top + view.height) / ROW) + MARGIN);
  return (
    <div class="scroll" ref={box} tabIndex={0} role="group" aria-label="List of records" onScroll={look}>
      <table aria-rowcount={shown.length + 1} style={{ minWidth: `${width}ch` }}>
        <colgroup>
          {[...widths, ORIGIN, actions].map((each, index) => (
            <col key={index} style={{ width: `${each}ch` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((name) => {
              const direction = sort?.name !== name ? 'none' : sort.down ? 'descending' : 'ascending';
              const sign = { class: `sort is-${direction}`, title: `Sort by ${name}` };
              return (
                <th key={name} scope="col" aria-sort={direction}>
                  <Button text={name} {...sign} act={() => sortBy(name)} />
                </th>
              );
            })}
            <th scope="col">from</th>
            <th scope="col" class="cell-actions">
              <span class="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <Gap rows={from} columns={columns.length + 2} />
          {visible.map((each, index) => (
            <Line {...props} key={changes.keyOf(each.record)} kept={each} at={from + index + 2} choices={choices} />
          ))}
          <Gap rows={shown.length - from - visible.length} columns={columns.length + 2} />
        </tbody>
      </table>
    </div>
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

const ORIGINS = { fixture: 'fixtures', changed: 'fixtures, changed', client: 'client' } as const;

interface LineProps extends Pick<TableProps, 'columns' | 'below' | 'open' | 'place' | 'changes'> {
  kept: KeptRecord;
  at: number;
  /** The properties that are changed in the table itself, by name. */
  choices: ReadonlyMap<string, fieldList.Field>;
}

function Line({ columns, below, open, place, changes, kept, at, choices }: LineProps): JSX.Element {
  const { record, origin } = kept;
  const id = changes.keyOf(record);
  const openBelow = (name: string): void => open({ name, within: [...place.within, id] });
  return (
    <tr aria-rowindex={at} style={{ height: `${ROW}px` }}>
      {columns.map((name) => {
        const field = choices.get(name);
        if (field === undefined) return <Cell key={name} value={record[name]} />;
        const printed = record[name] === undefined ? '' : printExact(record[name]);
        const allowed = choicesOf(field, printed, '–').filter(
          ([each]) => each !== '' || !field.required || printed === '',
        );
        const set = (next: string): void => changes.choose(record, name, next);
        return (
          <td class="choice" key={name}>
            <Select aria-label={`${name} of ${id}`} value={printed} set={set} options={allowed} />
          </td>
        );
      })}
      <td class={`origin is-${origin}`}>{ORIGINS[origin]}</td>
      <td class="cell-actions">
        {below.map((each) => (
          <QuietButton text={wordOf(each)} key={each.name} of={`of ${id}`} act={() => openBelow(each.name)} />
        ))}
        <QuietButton text="Edit" data-edit={id} of={id} act={() => changes.edit(record)} />
        {/* On a phone the values need the room; the form of the record has the button, too. */}
        {isNarrow.value ? null : <QuietButton text="Remove" of={id} act={() => changes.remove(record)} />}
      </td>
    </tr>
  );
}

/** The last part of a collection's name. */
const wordOf = ({ name }: KeptCollection): string => name.slice(name.lastIndexOf('.') + 1);

/** Longer values than that are not put into the page whole; the form has them. */
const MOST_OF_CELL = 500;

function Cell({ value }: { value: unknown }): JSX.Element {
  if (value === undefined) return <td class="unset">–</td>;
  const whole = fieldList.showValue(value);
  const text = whole.length > MOST_OF_CELL ? `${whole.slice(0, MOST_OF_CELL)}…` : whole;
  return (
    <td class={typeof value === 'string' ? '' : 'number'} title={text}>
      {text}
    </td>
  );
}

type PagesProps = { at: number; total: number; go: (page: number) => void };

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
