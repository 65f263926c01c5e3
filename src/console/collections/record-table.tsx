import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { printExact } from '../exact-json.js';
import { QuietButton } from '../parts/card.js';

export type Entry = Record<string, unknown>;

interface Props {
  entries: readonly Entry[];
  keyOf: (entry: Entry) => unknown;
  edit: (entry: Entry) => void;
  remove: (entry: Entry) => void;
}

const PAGE = 50;
const MOST_COLUMNS = 8;

/** Records with a column for each of their fields, a page at a time. */
export function RecordTable({ entries, keyOf, edit, remove }: Props): JSX.Element {
  const [page, setPage] = useState(0);
  const last = Math.max(0, Math.ceil(entries.length / PAGE) - 1);
  const at = Math.min(page, last);
  const shown = entries.slice(at * PAGE, (at + 1) * PAGE);
  const columns = listColumns(shown);
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
              <th scope="col">
                <span class="sr">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <Line
                key={printExact(keyOf(entry))}
                id={printExact(keyOf(entry))}
                entry={entry}
                columns={columns}
                edit={edit}
                remove={remove}
              />
            ))}
          </tbody>
        </table>
      </div>
      {last === 0 ? null : <Pages at={at} last={last} total={entries.length} go={setPage} />}
    </>
  );
}

interface LineProps extends Omit<Props, 'entries' | 'keyOf'> {
  id: string;
  entry: Entry;
  columns: readonly string[];
}

function Line({ id, entry, columns, edit, remove }: LineProps): JSX.Element {
  return (
    <tr>
      {columns.map((name) => (
        <td key={name} class={typeof entry[name] === 'string' ? '' : 'number'}>
          {showCell(entry[name])}
        </td>
      ))}
      <td class="cell-actions">
        <QuietButton of={id} act={() => edit(entry)}>
          Change
        </QuietButton>
        <QuietButton of={id} act={() => remove(entry)}>
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
