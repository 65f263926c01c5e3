import type { JSX } from 'preact';
import { QuietButton } from '../parts/card.js';
import { Choose } from '../parts/form.js';
import type { KeptCollection } from '../types.js';

/** The records to show: a collection and, if it belongs to other records, their keys, outermost first. */
export interface Place {
  name: string;
  within: readonly string[];
}

/** Whether every record to which a collection belongs has been chosen. */
export function isWhole({ within }: Place, kept: KeptCollection): boolean {
  return kept.within.every((_, index) => (within[index] ?? '') !== '');
}

interface Props {
  all: readonly KeptCollection[];
  kept: KeptCollection;
  place: Place;
  choose: (place: Place) => void;
}

/** Chooses a collection, and the records to which it belongs. */
export function PlaceForm({ all, kept, place, choose }: Props): JSX.Element | null {
  if (all.length < 2 && kept.within.length === 0) return null;
  const name = (index: number, key: string): void =>
    choose({ name: kept.name, within: kept.within.map((_, at) => (at === index ? key : (place.within[at] ?? ''))) });
  return (
    <div class="fields-row">
      <Choose
        label="Collection"
        value={kept.name}
        set={(next) => choose({ name: next, within: [] })}
        options={all.map((each) => [each.name, tellCount(each)])}
      />
      {kept.within.map((scope, index) => (
        <label key={scope}>
          {scope}
          <input
            type="text"
            list={`used-${scope}`}
            placeholder="key of the parent"
            value={place.within[index] ?? ''}
            onInput={(event) => name(index, event.currentTarget.value)}
          />
          <datalist id={`used-${scope}`}>
            {[...new Set(kept.used.map((keys) => keys[index]))].map((key) => (
              <option key={key} value={key} />
            ))}
          </datalist>
        </label>
      ))}
      {kept.parent === undefined ? null : (
        <QuietButton act={() => choose({ name: kept.parent ?? '', within: place.within.slice(0, -1) })}>
          {`Back to ${kept.parent}`}
        </QuietButton>
      )}
    </div>
  );
}

function tellCount({ name, count }: KeptCollection): string {
  return count === undefined ? name : `${name} (${count})`;
}
