import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { rows } from '../feed.js';
import { formatTime, Status } from '../parts/panel.js';
import { link } from '../state.js';
import { Answer, Came, type Answered } from './answer.js';
import { ReferenceOf } from './reference.js';
import { SavedRequests } from './saved.js';
import type { Written } from './to-request.js';

const SIDES = { reference: 'Reference', response: 'Response', history: 'History', saved: 'Saved' } as const;

/** What is beside the form. It stays when another operation is chosen, so that one can look through the reference. */
const side = signal<keyof typeof SIDES>('reference');

interface Props {
  operationId: string | undefined;
  /** What the form says, to be saved; `undefined` where there is no form. */
  draft?: string;
  /** What would be sent now. */
  written: Written;
  answered: Answered | undefined;
  children: ComponentChildren;
}

/** A request, and beside it what it came to, what the contract says, what was sent before, and what was saved. */
export function Sides({ operationId, draft, written, answered, children }: Props): JSX.Element {
  useEffect(() => {
    if (answered !== undefined) side.value = 'response';
  }, [answered]);
  const shown = answered === undefined && side.value === 'response' ? 'reference' : side.value;
  const isStale = answered !== undefined && JSON.stringify(answered.written) !== JSON.stringify(written);
  const names = Object.entries(SIDES).filter(
    ([id]) => (id !== 'response' || answered !== undefined) && (id !== 'saved' || draft !== undefined),
  );
  return (
    <div class="sides">
      <div class="side-form">{children}</div>
      <aside class="side" aria-label="About this request">
        <Came answered={answered} isStale={isStale} />
        <div class="tabs" role="group" aria-label="Shown beside the request">
          {names.map(([id, name]) => (
            <button
              key={id}
              type="button"
              class="quiet"
              aria-pressed={shown === id}
              onClick={() => (side.value = id as keyof typeof SIDES)}
            >
              {name}
            </button>
          ))}
        </div>
        {shown === 'response' && answered !== undefined ? <Answer answered={answered} /> : null}
        {shown === 'reference' && operationId !== undefined ? <ReferenceOf id={operationId} /> : null}
        {shown === 'history' ? <History operationId={operationId} /> : null}
        {shown === 'saved' && operationId !== undefined && draft !== undefined ? (
          <SavedRequests operationId={operationId} draft={draft} />
        ) : null}
      </aside>
    </div>
  );
}

const MOST = 30;

/** What the operation was asked so far, newest first. */
function History({ operationId }: { operationId: string | undefined }): JSX.Element {
  const found = rows.value.filter((row) => row.operationId === operationId).toReversed();
  if (found.length === 0) return <p class="hint">No request of this operation is in the journal.</p>;
  return (
    <ul class="items" aria-label="History">
      {found.slice(0, MOST).map(({ id, time, method, url, status }) => (
        <li key={id}>
          <span class="item-main">
            <span>
              <Status status={status} /> <b>{method}</b> <code>{url}</code>
            </span>
            <span class="hint">{formatTime(time)}</span>
          </span>
          <a href={link(`send/again/${id}`)}>Edit and send again</a>
          <a href={link(`exchanges/${id}`)}>Exchange {id}</a>
        </li>
      ))}
    </ul>
  );
}
