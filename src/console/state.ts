import { messageOf } from './exact-json.js';
import { computed, signal } from '@preact/signals';
import { call } from './api.js';
import type { About } from './types.js';

export const DEFAULT_WORLD = 'default';
const hash = signal(location.hash);
addEventListener('hashchange', () => (hash.value = location.hash));

/** What the address says: `#exchanges/17?world=w3`. */
const address = computed(() => {
  const [path = '', ...query] = hash.value.slice(1).split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
});

/** The selected world. It is part of the address, so that a reload and a link lead to it. */
export const world = computed(() => address.value.query.get('world') ?? DEFAULT_WORLD);
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
    tell(messageOf(error), true);
    return false;
  }
}

export async function loadAbout(): Promise<void> {
  about.value = await call<About>('GET /console/about', { world: world.value });
}

export const ask = <T>(what: string, body?: unknown): Promise<T> => call<T>(what, { world: world.value, body });

/** The panel and what is open in it: `#exchanges/17`, or `#send/again/17`. */
export const route = computed(() => {
  const [panel = '', ...items] = address.value.path.split('/');
  const [item, of] = items.map(decode);
  return { panel: panel === '' ? 'exchanges' : panel, item, of };
});

/** What a link has filled into the form of an operation, as JSON. */
export const linkedDraft = computed(() => address.value.query.get('draft') ?? undefined);

/** An address that someone wrote by hand may have any percent sign. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a part of the page, such as `exchanges/17`, in a world; by default, in the selected one. */
export function link(to: string, { name = world.value, draft }: { name?: string; draft?: string } = {}): string {
  const query = [
    ...(name === DEFAULT_WORLD ? [] : [`world=${encodeURIComponent(name)}`]),
    ...(draft === undefined ? [] : [`draft=${encodeURIComponent(draft)}`]),
  ];
  return `#${to}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

export function go(to: string, options: { name?: string; draft?: string } = {}): void {
  location.hash = link(to, options);
  hash.value = location.hash;
}

export function replaceAddress(to: string, draft: string | undefined): void {
  history.replaceState(null, '', link(to, draft === undefined ? {} : { draft }));
  hash.value = location.hash;
}

export function enterWorld(name: string): void {
  go(route.value.panel === 'exchanges' ? 'exchanges' : address.value.path, { name });
}

const NARROW = matchMedia('(max-width: 700px)');
/** Whether the page is as narrow as on a phone. */
export const isNarrow = signal(NARROW.matches);
NARROW.addEventListener('change', ({ matches }) => (isNarrow.value = matches));

export const addWorld = (name: string): Promise<boolean> =>
  attempt(() => call(`PUT /worlds/${encodeURIComponent(name)}`), `The world ${name} is added`);
