import type { JSX } from 'preact';
import { Card, QuietButton } from '../parts/card.js';
import { Pending } from '../parts/states.js';
import type { Fault } from '../types.js';
import { FaultForm } from './fault-form.js';
import { FaultItems } from './fault-items.js';
import { changeFaults, plantFault, removeFault, useFaults } from './use-faults.js';

const NEW: Fault = { effect: { status: 503 } };

/** Rules that break or delay answers on purpose. */
export function FaultsPanel(): JSX.Element {
  const { faults, loaded } = useFaults();
  const clear = (
    <QuietButton disabled={faults.length === 0} act={() => changeFaults('DELETE /faults', 'All faults are removed')}>
      Remove all faults
    </QuietButton>
  );
  return (
    <Card id="faults" title="Fault injection" action={clear}>
      <Pending of={loaded} />
      {loaded.data?.length === 0 ? <p class="hint">No faults.</p> : null}
      <FaultItems faults={faults} remove={removeFault} />
      <FaultForm start={NEW} submit="Add the fault" plant={plantFault} />
    </Card>
  );
}
