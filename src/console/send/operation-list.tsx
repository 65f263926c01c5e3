import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { about } from '../state.js';
import type { Operation } from '../types.js';

const search = signal('');
/** How many are shown at first, and how many more each time. */
const STEP = 200;
const most = signal(STEP);

let chosenHere = false;

/** Whether the operation that is shown was chosen in the list; asked once. */
export function wasChosen(): boolean {
  const was = chosenHere;
  chosenHere = false;
  return was;
}

/** Every operation of the contract, to choose one. */
export function OperationList({ chosen }: { chosen: string | undefined }): JSX.Element {
  const all = about.value?.operations ?? [];
  const words = search.value.toLowerCase().split(/\s+/);
  const { list, showMore } = useMore();
  const found = all.filter((each) => words.every((word) => textOf(each).includes(word)));
  const left = found.length - most.value;
  return (
    <nav class="master" aria-label="Operations">
      <div class="filters">
        <input
          type="search"
          aria-label="Search operations"
          placeholder="Method, path, name or summary"
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value;
            most.value = STEP;
          }}
        />
      </div>
      <div class="bar">
        <p class="hint" role="status">
          {found.length === all.length ? '' : `${found.length} of `}
          {all.length} operation{all.length === 1 ? '' : 's'}
        </p>
      </div>
      <ul class="operations" ref={list}>
        {found.slice(0, most.value).map((each) => (
          <Line key={each.id} operation={each} isChosen={each.id === chosen} />
        ))}
        {left <= 0 ? null : (
          <li>
            <button type="button" class="quiet" onClick={showMore}>
              {left <= STEP ? `Show the other ${left}` : `Show ${STEP} more of the other ${left}`}
            </button>
          </li>
        )}
      </ul>
    </nav>
  );
}

/** Shows the next ones, and takes the focus to the first of them. */
function useMore(): { list: { current: HTMLUListElement | null }; showMore: () => void } {
  const list = useRef<HTMLUListElement>(null);
  const firstNew = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (firstNew.current !== undefined) list.current?.querySelectorAll('a')[firstNew.current]?.focus();
    firstNew.current = undefined;
  }, [most.value]);
  const showMore = (): void => {
    firstNew.current = most.value;
    most.value += STEP;
  };
  return { list, showMore };
}

function Line({ operation, isChosen }: { operation: Operation; isChosen: boolean }): JSX.Element {
  const { id, method, path, deprecated, summary } = operation;
  return (
    <li>
      <a
        href={`#send/${encodeURIComponent(id)}`}
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => (chosenHere = true)}
      >
        <span class="method">{method}</span>
        <span class="operation-main">
          <code>{path}</code>
          {deprecated ? <span class="tag">deprecated</span> : null}
          <span class="hint">{summary === '' ? id : summary}</span>
        </span>
      </a>
    </li>
  );
}

function textOf({ method, path, id, summary }: Operation): string {
  return `${method} ${path} ${id} ${summary}`.toLowerCase();
}
