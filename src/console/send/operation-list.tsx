import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { about } from '../state.js';
import type { Operation } from '../types.js';

const search = signal('');
const MOST = 200;

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
  const found = all.filter((each) => words.every((word) => textOf(each).includes(word)));
  return (
    <nav class="master" aria-label="Operations">
      <div class="filters">
        <input
          type="search"
          aria-label="Search operations"
          placeholder="Method, path, name or summary"
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
      </div>
      <div class="bar">
        <p class="hint" role="status">
          {found.length === all.length ? '' : `${found.length} of `}
          {all.length} operation{all.length === 1 ? '' : 's'}
          {found.length > MOST ? `; the first ${MOST} are shown` : ''}
        </p>
      </div>
      <ul class="operations">
        {found.slice(0, MOST).map((each) => (
          <li key={each.id}>
            <a
              href={`#send/${encodeURIComponent(each.id)}`}
              aria-current={each.id === chosen ? 'true' : undefined}
              onClick={() => (chosenHere = true)}
            >
              <span class="method">{each.method}</span>
              <span class="operation-main">
                <code>{each.path}</code>
                {each.deprecated ? <span class="tag">deprecated</span> : null}
                <span class="hint">{each.summary === '' ? each.id : each.summary}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function textOf({ method, path, id, summary }: Operation): string {
  return `${method} ${path} ${id} ${summary}`.toLowerCase();
}
