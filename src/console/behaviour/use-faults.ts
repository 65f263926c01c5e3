import { signal } from '@preact/signals';
import { changes } from '../feed.js';
import { useData, type Loaded } from '../parts/use-data.js';
import { ask, attempt, world } from '../state.js';
import type { Fault, PlantedFault } from '../types.js';

/** Increased by each change that a panel makes, so that the other panel sees it. */
const revision = signal(0);

/** The faults of the world; none until they are loaded. Requests change how often each has struck. */
export function useFaults(): { faults: PlantedFault[]; loaded: Loaded<PlantedFault[]> } {
  const on = [world.value, revision.value, changes.value];
  const loaded = useData(() => ask<PlantedFault[]>('GET /faults'), on);
  return { faults: loaded.data ?? [], loaded };
}

/** Changes the faults with a call of the admin API, and says what was done. Returns whether it was done. */
export async function changeFaults(call: string, done: string, body?: Fault): Promise<boolean> {
  const isDone = await attempt(() => ask(call, body), done);
  revision.value += 1;
  return isDone;
}

export async function plantFault(fault: Fault): Promise<void> {
  await changeFaults('POST /faults', 'The fault is added', fault);
}

export function removeFault({ id }: PlantedFault): Promise<boolean> {
  return changeFaults(`DELETE /faults/${id}`, 'The fault is removed');
}
