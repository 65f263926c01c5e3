import type { ParameterValues } from '../../contract/parameters.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type { PetstoreWorld, PetstoreWorlds } from '../petstore-world.js';

/** An accepted call: it passed the guards and conforms to the admin API's document. */
export interface AdminCall {
  path: ParameterValues;
  /** Includes the document's defaults. */
  query: ParameterValues;
  body: unknown;
  /** The world of the call, created when the handler uses it. */
  readonly world: PetstoreWorld;
  /** The library's methods. */
  handles: PetstoreWorlds;
  worlds: Worlds;
  /** Aborts when the caller disconnects. */
  gone: AbortSignal;
}

/** The result of a call; without a body the status is 204. */
export interface AdminAnswer {
  status: number;
  body?: unknown;
}

/** Answers one operation of the admin API. Throws a `PetstoreMockError` if the call fails. */
export type AdminHandler = (call: AdminCall) => Promise<AdminAnswer>;

export const done: AdminAnswer = { status: 204 };

export const ok = (body: unknown): AdminAnswer => ({ status: 200, body });

/** Thrown if the resource in the path does not exist. */
export class NotThere extends Error {}

/** What tells about the process itself, or waits for others, and so must not keep them out. */
export const PASSES_NO_GATE: ReadonlySet<string> = new Set(['getHealth', 'getReadiness', 'waitForRequests']);
