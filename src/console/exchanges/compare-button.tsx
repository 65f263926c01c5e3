import type { JSX } from 'preact';
import { rows } from '../feed.js';
import { go } from '../state.js';
import { pickOther } from './compare-parts.js';

/** Opens the comparison, in which the other exchange is chosen. */
export function CompareButton({ id }: { id: number }): JSX.Element {
  const other = pickOther(rows.value, id);
  return (
    <button type="button" disabled={other === undefined} onClick={() => go(`exchanges/${id}-${other}`)}>
      Compare with…
    </button>
  );
}
