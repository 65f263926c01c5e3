import type { JSX } from 'preact';
import { about } from '../state.js';
import type { Fault } from '../types.js';
import { FaultItems } from './fault-items.js';
import { plantFault, removeFault, useFaults } from './use-faults.js';

const SLOW_MS = 2000;
/** Some operations document a status for everything. */
const MOST_STATUSES = 6;
const USUAL = [500, 503];

interface Props {
  /** Of the operation in the contract. */
  statuses: readonly string[];
  /** What is struck, and how often. */
  target: Omit<Fault, 'effect'>;
  plant: (fault: Fault) => unknown;
}

/** What people usually want of an answer, a press each. */
export function AtOnce({ statuses, target, plant }: Props): JSX.Element {
  const refusals = statuses.map(Number).filter((status) => status >= 400 && !USUAL.includes(status));
  const effects: [string, Fault['effect']][] = [
    ...[...refusals.slice(0, MOST_STATUSES), ...USUAL].map((status): [string, Fault['effect']] => [
      `Respond with ${status}`,
      { status },
    ]),
    [`Wait ${SLOW_MS / 1000} s`, { delay: SLOW_MS }],
    ['Reset the connection', { reset: true }],
  ];
  return (
    <div class="actions">
      {effects.map(([name, effect]) => (
        <button key={name} type="button" onClick={() => plant({ ...target, effect })}>
          {name}
        </button>
      ))}
    </div>
  );
}

/** What requests for one operation meet on purpose: set, shown and taken away where they are sent. */
export function OnPurpose({ operationId }: { operationId: string }): JSX.Element {
  const { faults } = useFaults();
  const set = faults.filter((fault) => fault.operationId === undefined || fault.operationId === operationId);
  const statuses = about.value?.operations.find(({ id }) => id === operationId)?.statuses ?? [];
  return (
    <fieldset>
      <legend>Fault injection</legend>
      <AtOnce statuses={statuses} target={{ operationId }} plant={plantFault} />
      {set.length === 0 ? null : <FaultItems faults={set} remove={removeFault} />}
      <p class="hint">
        This applies to all clients until you remove it. More faults are under <a href="#behaviour">Behaviour</a>.
      </p>
    </fieldset>
  );
}
