import type { JSX } from 'preact';
import { QuietButton } from '../parts/card.js';
import { PAGE } from './use-records.js';

interface Props {
  /** The number of the page, counted from 0. */
  at: number;
  total: number;
  go: (page: number) => void;
}

/** The way through more records than are read at once. */
export function Pages({ at: asked, total, go }: Props): JSX.Element | null {
  const last = Math.max(0, Math.ceil(total / PAGE) - 1);
  const at = Math.min(asked, last);
  if (last === 0) return null;
  return (
    <div class="bar">
      <QuietButton disabled={at === 0} act={() => go(at - 1)}>
        Previous
      </QuietButton>
      <span class="hint">
        {`${at * PAGE + 1} to ${Math.min(total, (at + 1) * PAGE)} of ${total}; search and sort look at these alone`}
      </span>
      <QuietButton disabled={at === last} act={() => go(at + 1)}>
        Next
      </QuietButton>
    </div>
  );
}
