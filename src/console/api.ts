import { signal } from '@preact/signals';
import { parseExact, printExact } from './exact-json.js';
import type { Violation } from './types.js';

export const readAbout = (): unknown => JSON.parse(document.querySelector('#about')?.textContent ?? '{}');
const TOKEN = 'petstore-mock-admin-token';

/** The token of the admin API, kept for this tab only. */
export const token = signal(sessionStorage.getItem(TOKEN) ?? '');
export const isLocked = signal(false);

export function keepToken(text: string): void {
  sessionStorage.setItem(TOKEN, text);
  token.value = text;
  isLocked.value = false;
}

export class CallFailed extends Error {
  /** What exactly it refused, if it told. */
  violations: readonly Pick<Violation, 'pointer' | 'message'>[] = [];
  /** Of the response; 0 if there was none. */
  status = 0;
}

export class Unreachable extends CallFailed {}

const { mountPath } = readAbout() as { mountPath: string };
export const ADMIN = `${mountPath}/__admin`;

export function fetchAdmin(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token.value !== '')
    headers.set('Authorization', `Bearer ${String.fromCodePoint(...new TextEncoder().encode(token.value))}`);
  return fetch(`${ADMIN}${path}`, { ...init, headers, cache: 'no-store' });
}

/** What is read and has no answer yet. */
const underway = new Set<Promise<unknown>>();

export async function settle(): Promise<void> {
  await Promise.allSettled(underway);
}

/** Calls the admin API: `call('GET /faults', { world: 'w3' })`. Rejects with the mock's own sentence. */
export function call<T>(what: string, options: CallOptions = {}): Promise<T> {
  const calling = send<T>(what, options).finally(() => underway.delete(calling));
  // What is sent to the API may take as long as its delay says.
  if (what.startsWith('GET ')) underway.add(calling);
  return calling;
}

type CallOptions = { world?: string; body?: unknown };

async function send<T>(what: string, { world, body }: CallOptions): Promise<T> {
  const [method = 'GET', path = '/'] = what.split(' ');
  const query = world === undefined ? '' : `${path.includes('?') ? '&' : '?'}world=${encodeURIComponent(world)}`;
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const headers = {
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
    // A page that still shows a world that someone removes must not bring it back.
    ...(world === undefined ? {} : { 'If-Match': '*' }),
  };
  const response = await fetchAdmin(`${path}${query}`, {
    method,
    headers,
    ...(hasBody ? { body: printExact(body ?? {}) } : {}),
  }).catch(() => {
    throw new Unreachable('The mock does not respond. Is it still running?');
  });
  if (response.status === 401) isLocked.value = true;
  const text = await response.text();
  const value: unknown = text === '' ? undefined : parseExact(text);
  if (response.ok) return value as T;
  const { status } = response;
  const { message, violations } = (value ?? {}) as { message?: string; violations?: Violation[] };
  throw Object.assign(new CallFailed(message ?? `HTTP ${status}`), { violations: violations ?? [], status });
}
