import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { CallFailed } from '../api.js';
import { reconnects } from '../feed.js';

/** Increased when the user, who may have changed things elsewhere, comes back to the page. */
const returns = signal(0);
addEventListener('focus', () => (returns.value += 1));

/** The state of a request: pending, answered or refused. An answer stays until a newer one arrives. */
export interface Loaded<T> {
  data: T | undefined;
  problem: string | undefined;
  reload: () => Promise<void>;
}

/** Loads data when first shown, and again when something in `on` changes, the user comes back or the mock does. */
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
  }, [...on, returns.value, reconnects.value]);
  return { ...state, reload: () => ask(() => true) };
}
