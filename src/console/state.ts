import { computed, signal } from '@preact/signals';
import { call, CallFailed } from './api.js';
import type { About } from './types.js';

export const DEFAULT_WORLD = 'default';

/** The selected world. */
export const world = signal(DEFAULT_WORLD);
export const worlds = signal<readonly string[]>([DEFAULT_WORLD]);

export const about = signal<About | undefined>(undefined);

/** What was done, or why it could not be done; screen readers read it out. */
export const notice = signal<{ text: string; isError: boolean } | undefined>(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;

export function tell(text: string, isError = false): void {
  clearTimeout(timer);
  notice.value = { text, isError };
  timer = setTimeout(() => (notice.value = undefined), isError ? 12_000 : 4000);
}

/** Does something, and reports success or the reason for failure. Returns whether it succeeded. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
    if (done !== undefined) tell(done);
    return true;
  } catch (error) {
    tell(error instanceof CallFailed ? error.message : String(error), true);
    return false;
  }
}

export async function loadAbout(): Promise<void> {
  about.value = await call<About>('GET /console/about', { world: world.value });
}

/** A call for the selected world. */
export function ask<T>(what: string, body?: unknown): Promise<T> {
  return call<T>(what, { world: world.value, body });
}

const hash = signal(location.hash);
addEventListener('hashchange', () => (hash.value = location.hash));

/** The panel and what is open in it: `#exchanges/17`, or `#send/again/17`. */
export const route = computed(() => {
  const [panel = '', ...items] = hash.value.slice(1).split('/');
  const [item, of] = items.map(decode);
  return { panel: panel === '' ? 'exchanges' : panel, item, of };
});

/** An address that someone wrote by hand may have any percent sign. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function go(to: string): void {
  location.hash = to;
}
