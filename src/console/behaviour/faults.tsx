import type { JSX } from 'preact';
import { describeEffect, describeTarget } from '../describe-fault.js';
import { Card, Item, QuietButton } from '../parts/card.js';
import { Pending } from '../parts/states.js';
import { ask, attempt } from '../state.js';
import type { Fault, PlantedFault } from '../types.js';
import { FaultForm } from './fault-form.js';
import { reloadFaults, useFaults } from './use-faults.js';

const NEW: Fault = { effect: { status: 503 } };

/** Rules that break or delay answers on purpose. */
export function FaultsPanel(): JSX.Element {
  const { faults, loaded } = useFaults();
  const act = async (what: string, body: unknown, done: string): Promise<void> => {
    await attempt(() => ask(what, body), done);
    await reloadFaults();
  };
  const clear = (
    <QuietButton disabled={faults.length === 0} act={() => act('DELETE /faults', undefined, 'All faults are removed')}>
      Remove all faults
    </QuietButton>
  );
  return (
    <Card id="faults" title="Faults" action={clear}>
      <Pending of={loaded} />
      {loaded.data?.length === 0 ? <p class="hint">None: every request is answered as the contract says.</p> : null}
      <ul class="items">
        {faults.map((fault) => (
          <Item key={fault.id} name={describeEffect(fault)} about={<span class="hint">{describeTarget(fault)}</span>}>
            <span class="hint">{describeHits(fault)}</span>
            <QuietButton of={fault.id} act={() => act(`DELETE /faults/${fault.id}`, undefined, 'The fault is removed')}>
              Remove
            </QuietButton>
          </Item>
        ))}
      </ul>
      <FaultForm
        start={NEW}
        submit="Add the fault"
        plant={(fault) => act('POST /faults', fault, 'The fault is added')}
      />
    </Card>
  );
}

function describeHits({ hits, times }: PlantedFault): string {
  if (times !== undefined) return `${hits} of ${times} times so far`;
  return hits === 0 ? 'not yet' : hits === 1 ? 'once so far' : `${hits} times so far`;
}
