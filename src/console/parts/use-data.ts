import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { CallFailed } from '../api.js';

/** Grows when somebody comes back to the page, who may have changed things elsewhere. */
const returns = signal(0);
addEventListener('focus', () => (returns.value += 1));

/** What was asked for: on its way, there, or refused. What is there stays until there is something newer. */
export interface Loaded<T> {
  data: T | undefined;
  problem: string | undefined;
  reload: () => Promise<void>;
}

/** Asks when it is first shown, and again when something in `on` changes or somebody comes back to the page. */
export function useData<T>(load: () => Promise<T>, on: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ data: undefined, problem: undefined });
  const ask = async (isWanted: () => boolean): Promise<void> => {
    try {
      const data = await load();
      if (isWanted()) setState({ data, problem: undefined });
    } catch (error) {
      const problem = error instanceof CallFailed ? error.message : String(error);
      if (isWanted()) setState(({ data }) => ({ data, problem }));
    }
  };
  useEffect(() => {
    let isWanted = true;
    void ask(() => isWanted);
    return () => void (isWanted = false);
  }, [...on, returns.value]);
  return { ...state, reload: () => ask(() => true) };
}
