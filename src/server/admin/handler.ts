import type { ParameterValues } from '../../contract/parameters.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type { PetstoreWorld, PetstoreWorlds } from '../petstore-world.js';

/** A call that was accepted: guards and the document of the admin API are behind it. */
export interface AdminCall {
  path: ParameterValues;
  /** With the document's defaults filled in. */
  query: ParameterValues;
  body: unknown;
  /** The world that is meant, made when the handler asks for it. */
  readonly world: PetstoreWorld;
  /** What the library offers. */
  handles: PetstoreWorlds;
  worlds: Worlds;
  /** Aborts when the caller has gone. */
  gone: AbortSignal;
}

/** What a call comes to; without a body it is 204. */
export interface AdminAnswer {
  status: number;
  body?: unknown;
}

/** Answers one operation of the admin API. Throws a `PetstoreMockError` for what cannot be done. */
export type AdminHandler = (call: AdminCall) => Promise<AdminAnswer>;

export const done: AdminAnswer = { status: 204 };

export const ok = (body: unknown): AdminAnswer => ({ status: 200, body });

/** Thrown for what a path names and what is not there. */
export class NotThere extends Error {}
