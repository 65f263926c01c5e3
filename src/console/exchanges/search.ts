import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { changes } from '../feed.js';
import { ask, attempt, world } from '../state.js';

/** The exchanges that the mock found a text in: it alone has their bodies and header fields. */
export interface Found {
  text: string;
  ids: ReadonlySet<number>;
}

const NOTHING: Found = { text: '', ids: new Set() };

export const found = signal<Found>(NOTHING);

/** Searches for a text whenever it changes, and again when more was sent. The last question counts. */
export function followText(text: ReadonlySignal<string>): void {
  let asked = 0;
  effect(() => {
    const wanted = text.value;
    const name = world.value;
    void changes.value;
    asked += 1;
    if (wanted === '') return void (found.value = NOTHING);
    const mine = asked;
    void attempt(async () => {
      const { ids } = await ask<{ ids: number[] }>(`GET /console/search?text=${encodeURIComponent(wanted)}`);
      if (mine === asked && name === world.value) found.value = { text: wanted, ids: new Set(ids) };
    });
  });
}
