import { signal } from '@preact/signals';
import { changes } from '../feed.js';
import { useData, type Loaded } from '../parts/use-data.js';
import { ask, world } from '../state.js';
import type { PlantedFault } from '../types.js';

/** Increased by each change that a panel makes, so that the other panel sees it. */
const revision = signal(0);

/** The faults of the world; none until they are loaded. Requests change how often each has struck. */
export function useFaults(): { faults: PlantedFault[]; loaded: Loaded<PlantedFault[]> } {
  const on = [world.value, revision.value, changes.value];
  const loaded = useData(() => ask<PlantedFault[]>('GET /faults'), on);
  return { faults: loaded.data ?? [], loaded };
}

export async function reloadFaults(): Promise<void> {
  revision.value += 1;
}
