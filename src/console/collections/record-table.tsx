import type { JSX } from 'preact';
import { printExact } from '../exact-json.js';
import { QuietButton } from '../parts/card.js';
import type { KeptCollection, KeptRecord, RecordPage } from '../types.js';

export type Entry = Record<string, unknown>;

interface Props {
  page: RecordPage;
  /** The number of the page, counted from 0. */
  at: number;
  go: (page: number) => void;
  keyOf: (entry: Entry) => unknown;
  /** The collections that belong to a record. */
  below: readonly KeptCollection[];
  openBelow: (name: string, entry: Entry) => void;
  edit: (entry: Entry) => void;
  remove: (entry: Entry) => void;
}

export const PAGE = 50;
const MOST_COLUMNS = 8;

/** Records, with a column for each field and one for their origin. */
export function RecordTable(props: Props): JSX.Element {
  const { page, at, go, keyOf } = props;
  const last = Math.max(0, Math.ceil(page.total / PAGE) - 1);
  const columns = listColumns(page.records.map(({ record }) => record));
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="Records">
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">from</th>
              <th scope="col">
                <span class="sr">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {page.records.map((each) => {
              const id = printExact(keyOf(each.record));
              return <Line key={id} id={id} kept={each} columns={columns} {...props} />;
            })}
          </tbody>
        </table>
      </div>
      {last === 0 ? null : <Pages at={Math.min(at, last)} last={last} total={page.total} go={go} />}
    </>
  );
}

const ORIGINS = { fixture: 'fixtures', changed: 'fixtures, changed', client: 'client' } as const;

interface LineProps extends Pick<Props, 'below' | 'openBelow' | 'edit' | 'remove'> {
  id: string;
  kept: KeptRecord;
  columns: readonly string[];
}

function Line({ id, kept, columns, below, openBelow, edit, remove }: LineProps): JSX.Element {
  const { record, origin } = kept;
  return (
    <tr>
      {columns.map((name) => (
        <td key={name} class={typeof record[name] === 'string' ? '' : 'number'}>
          {showCell(record[name])}
        </td>
      ))}
      <td class={`origin is-${origin}`}>{ORIGINS[origin]}</td>
      <td class="cell-actions">
        {below.map(({ name }) => (
          <QuietButton key={name} of={`of ${id}`} act={() => openBelow(name, record)}>
            {name.slice(name.lastIndexOf('.') + 1)}
          </QuietButton>
        ))}
        <QuietButton of={id} act={() => edit(record)}>
          Change
        </QuietButton>
        <QuietButton of={id} act={() => remove(record)}>
          Remove
        </QuietButton>
      </td>
    </tr>
  );
}

interface PagesProps {
  at: number;
  last: number;
  total: number;
  go: (page: number) => void;
}

function Pages({ at, last, total, go }: PagesProps): JSX.Element {
  return (
    <div class="bar">
      <QuietButton disabled={at === 0} act={() => go(at - 1)}>
        Previous
      </QuietButton>
      <span class="hint">
        {at * PAGE + 1} to {Math.min(total, (at + 1) * PAGE)} of {total}
      </span>
      <QuietButton disabled={at === last} act={() => go(at + 1)}>
        Next
      </QuietButton>
    </div>
  );
}

function listColumns(entries: readonly Entry[]): string[] {
  return [...new Set(entries.flatMap((entry) => Object.keys(entry)))].slice(0, MOST_COLUMNS);
}

const MOST_OF_CELL = 120;

function showCell(value: unknown): string {
  if (value === undefined) return '–';
  const text = typeof value === 'string' ? value : printExact(value);
  return text.length > MOST_OF_CELL ? `${text.slice(0, MOST_OF_CELL)}…` : text;
}
