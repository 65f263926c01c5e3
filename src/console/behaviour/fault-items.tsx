import type { JSX } from 'preact';
import { describeEffect, describeTarget } from '../describe-fault.js';
import { Item, QuietButton } from '../parts/card.js';
import type { PlantedFault } from '../types.js';

/** Faults that are set, each with the button that takes it away. */
export function FaultItems({
  faults,
  remove,
}: {
  faults: readonly PlantedFault[];
  remove: (fault: PlantedFault) => unknown;
}): JSX.Element {
  return (
    <ul class="items">
      {faults.map((fault) => (
        <Item key={fault.id} name={describeEffect(fault)} about={<span class="hint">{describeTarget(fault)}</span>}>
          <span class="hint">{describeHits(fault)}</span>
          <QuietButton of={fault.id} act={() => remove(fault)}>
            Remove
          </QuietButton>
        </Item>
      ))}
    </ul>
  );
}

function describeHits({ hits, times }: PlantedFault): string {
  if (times !== undefined) return `${hits} of ${times} times so far`;
  return hits === 0 ? 'not yet' : hits === 1 ? 'once so far' : `${hits} times so far`;
}
