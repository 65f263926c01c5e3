import type { ParameterValues, ParameterReading } from '../../contract/parameters.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type { PetstoreWorld, PetstoreWorlds } from '../petstore-world.js';
import { DEFAULT_WORLD } from '../../mock/persistence/changes.js';
import type { Rejected } from './guard.js';

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

/** The world that a call is for. */
export function nameOfWorld(reading: ParameterReading): string {
  return listNamed(reading)[0] ?? DEFAULT_WORLD;
}

/** Why a call that names two worlds is refused. */
export function findTwoWorlds(reading: ParameterReading): string[] {
  const [one, two = one] = listNamed(reading);
  return one === two ? [] : [`the header X-Petstore-World names the world ${one}, query/world the world ${two}`];
}

/** RFC 9110, section 13.1.1: a call with `If-Match: *` is for what is there, and makes no world. */
export function refuseGone(reading: ParameterReading, worlds: Worlds): Rejected | undefined {
  const name = nameOfWorld(reading);
  if (reading.header['If-Match'] === undefined || worlds.has(name)) return undefined;
  const message = `there is no world ${name}; a call without If-Match creates it`;
  return { status: 412, code: 'no_such_world', message };
}

function listNamed({ header, query }: ParameterReading): string[] {
  return [header['X-Petstore-World'], query['world']].filter((name) => typeof name === 'string');
}
