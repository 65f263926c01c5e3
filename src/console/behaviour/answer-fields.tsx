import type { JSX } from 'preact';
import { Check, Write } from '../parts/form.js';
import type { Operation } from '../types.js';
import { readBody, type AnswerDraft } from './answer-draft.js';

interface Props {
  draft: AnswerDraft;
  set: (draft: AnswerDraft) => void;
  operation: Operation | undefined;
}

/** Header fields and body of an answer of one's own. */
export function AnswerFields({ draft, set, operation }: Props): JSX.Element {
  const looksLikeJson = /^\s*[[{]/.test(draft.body) && typeof readBody(draft.body) === 'string';
  return (
    <div class="answer-fields">
      {operation === undefined ? (
        <p class="hint">Choose the operation: its contract lists the responses.</p>
      ) : (
        <p class="hint">The contract has: {operation.statuses.join(', ')}</p>
      )}
      <Write
        label="Header fields, one per line"
        rows={2}
        placeholder="Retry-After: 5"
        value={draft.headers}
        set={(headers) => set({ ...draft, headers })}
      />
      <Write label="Body" rows={8} value={draft.body} set={(body) => set({ ...draft, body })} />
      {looksLikeJson ? <p class="hint">This is not JSON; it would be sent as text.</p> : null}
      <Check
        label="Send it although it breaks the contract"
        on={draft.breaks}
        set={(breaks) => set({ ...draft, breaks })}
      />
    </div>
  );
}
