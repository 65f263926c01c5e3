import type { ParameterReading } from '../../contract/parameters.js';
import { DEFAULT_WORLD } from '../../mock/world/changes.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type { Refused } from './guard.js';

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
export function refuseGone(reading: ParameterReading, worlds: Worlds): Refused | undefined {
  const name = nameOfWorld(reading);
  if (reading.header['If-Match'] === undefined || worlds.has(name)) return undefined;
  const message = `there is no world ${name}; a call without If-Match creates it`;
  return { status: 412, code: 'no_such_world', message };
}

function listNamed({ header, query }: ParameterReading): string[] {
  return [header['X-Petstore-World'], query['world']].filter((name) => typeof name === 'string');
}
