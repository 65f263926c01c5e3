import { computed, effect, signal } from '@preact/signals';
import { fetchAdmin, isLocked, token } from './api.js';
import { attempt, DEFAULT_WORLD, enterWorld, loadAbout, tell, world, worlds } from './state.js';
import type { Batch, Injected, Row } from './types.js';

export const rows = signal<readonly Row[]>([]);
export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');
/** What happened to the files that the mock follows (`--watch`). */
export const files = signal<Batch['files']>({});
const NOTHING: Injected = { faults: 0, choices: 0 };
/** What makes the selected world respond otherwise than a plain mock. */
export const injected = signal<Injected>(NOTHING);
/** Changes when that does. */
export const injectedNow = computed(() => JSON.stringify(injected.value));
export const reconnects = signal(0);
export const skipped = signal(0);
/** Increased soon after a request, which may have changed the records, but not more often than a panel can reload. */
export const changes = signal(0);

/** Whether the next stream follows one that ended by itself. */
let isBack = false;

const MOST_ROWS = 2000;
const RETRY_MS = 1000;

export function followFeed(): void {
  effect(() => {
    const name = world.value;
    void token.value;
    if (isLocked.value) return;
    const leaving = new AbortController();
    rows.value = [];
    injected.value = NOTHING;
    skipped.value = 0;
    connection.value = 'connecting';
    void follow(name, leaving.signal);
    return () => leaving.abort();
  });
}

/** A stream read with `fetch`, since an EventSource cannot send a token. */
async function follow(name: string, leaving: AbortSignal): Promise<void> {
  while (!leaving.aborted) {
    try {
      const response = await fetchAdmin(`/console/feed?world=${encodeURIComponent(name)}`, { signal: leaving });
      if (response.status === 401) return void (isLocked.value = true);
      if (response.status === 404) return leaveGone();
      if (response.ok && response.body !== null) await read(response.body);
    } catch {
      // The mock has gone; it may come back.
    }
    if (leaving.aborted) return;
    // When an open feed ends, other worlds may have replaced those that it reported on.
    const wasOpen = connection.value === 'live';
    connection.value = wasOpen ? 'connecting' : 'lost';
    isBack = true;
    await new Promise((resolve) => setTimeout(resolve, wasOpen ? 0 : RETRY_MS));
  }
}

async function read(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let isFirst = true;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    const batches = events.flatMap((event) =>
      event.startsWith('data: ') ? [JSON.parse(event.slice(6)) as Batch] : [],
    );
    if (batches.length > 0) take(batches, isFirst);
    isFirst = false;
  }
}

function take(batches: readonly Batch[], isFirst: boolean): void {
  if (isBack) reconnects.value += 1;
  isBack = false;
  connection.value = 'live';
  const last = batches.at(-1);
  const known = isFirst ? [] : rows.value;
  const oldest = last?.oldest ?? 0;
  const all = [...known, ...batches.flatMap((batch) => batch.rows)].filter(({ id }) => id >= oldest).slice(-MOST_ROWS);
  rows.value = all;
  skipped.value += batches.reduce((sum, batch) => sum + batch.skipped, 0);
  settling ??= setTimeout(() => {
    settling = undefined;
    changes.value += 1;
  }, SETTLE_MS);
  if (last !== undefined) injected.value = last.injected;
  if (last !== undefined) noteFiles(last.files);
  const names = last?.worlds ?? worlds.value;
  if (names.join('/') !== worlds.value.join('/')) worlds.value = names;
  if (!names.includes(world.value)) leaveGone();
}

function leaveGone(): void {
  tell(`The world ${world.value} no longer exists; this is the default world`);
  enterWorld(DEFAULT_WORLD);
}

function noteFiles(next: Batch['files']): void {
  const { changed } = files.value;
  files.value = next;
  if (next.changed === undefined || next.changed === changed) return;
  tell(next.changed);
  void attempt(loadAbout);
}

const SETTLE_MS = 400;
let settling: ReturnType<typeof setTimeout> | undefined;
