import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { settleFocus } from '../parts/focus.js';
import { useView } from '../parts/virtual-list.js';
import type { KeptRecord } from '../types.js';
import type { Entry } from './draft.js';
import { Line, wordOf, type Actions } from './record-line.js';
import { widthOf, type Selection } from './select-records.js';

interface Props extends Actions {
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
const ORIGIN = 19;

/** Records, with a column for each property and one for their origin. Only the visible rows are rendered. */
export function RecordTable(props: Props): JSX.Element {
  const { all, shown, columns, keyOf, below } = props;
  const box = useRef<HTMLDivElement>(null);
  const { view, look } = useView(box);
  useEffect(settleFocus);
  const widths = useMemo(() => columns.map((name) => widthOf(name, all)), [columns, all]);
  const actions = ACTIONS + below.reduce((sum, each) => sum + wordOf(each).length + 2, 0);
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

function Head({ columns, sort, sortBy }: Pick<Props, 'columns' | 'sort' | 'sortBy'>): JSX.Element {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((name) => {
          const direction = sort?.name !== name ? 'none' : sort.down ? 'descending' : 'ascending';
          return (
            <th key={name} scope="col" aria-sort={direction}>
              <button
                type="button"
                class={`sort is-${direction}`}
                title={`Sort by ${name}`}
                onClick={() => sortBy(name)}
              >
                {name}
              </button>
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

/** The room of rows that are not rendered. */
function Gap({ rows, columns }: { rows: number; columns: number }): JSX.Element | null {
  if (rows <= 0) return null;
  return (
    <tr aria-hidden="true" class="gap">
      <td colSpan={columns} style={{ height: `${rows * ROW}px` }} />
    </tr>
  );
}
