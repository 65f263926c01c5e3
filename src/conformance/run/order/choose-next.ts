import type { Scenario } from '../../model/scenario.js';

/** Which scenarios are running, and how many may run at once. */
interface Busy {
  running: ReadonlySet<Scenario>;
  concurrency: number;
}

/** Which of the scenarios that are ready start now. One that runs alone waits until nothing else runs, and nothing overtakes it. */
export function chooseNext(ready: readonly Scenario[], { running, concurrency }: Busy): Scenario[] {
  if ([...running].some(({ alone }) => alone)) return [];
  const alone = ready.findIndex((scenario) => scenario.alone);
  if (alone === 0) return running.size === 0 ? ready.slice(0, 1) : [];
  return ready.slice(0, alone === -1 ? undefined : alone).slice(0, concurrency - running.size);
}
