import type { IncomingHttpHeaders } from 'node:http';
import type { WorldEntry, Worlds } from '../../mock/world/worlds.js';
import { WORLDS_PATH } from '../world-names.js';

/** The destination of a request. */
export interface Destination {
  entry: WorldEntry;
  /** The prefix that names the world: `/worlds/w3`, or `''`. */
  prefix: string;
  /** The path after the prefix. */
  path: string;
}

const PREFIX = `${WORLDS_PATH}/`;

/** The world of a request, from the prefix of its path or from its header; `undefined` outside the API. */
export function findPlace(path: string, headers: IncomingHttpHeaders, worlds: Worlds): Destination | undefined {
  const { bases } = worlds.default.contract;
  const named = headers['x-petstore-world'] as string | undefined;
  if (path.startsWith(PREFIX)) return findByPrefix(path, named, worlds);
  if (!bases.isServed(path)) return undefined;
  const entry = named === undefined ? { world: worlds.default } : worlds.enter(named);
  return { entry, prefix: '', path };
}

/** Whether {@link findPlace} finds one. Asking does not make the world. */
export function isInApi(path: string, worlds: Worlds): boolean {
  const { bases } = worlds.default.contract;
  if (!path.startsWith(PREFIX)) return bases.isServed(path);
  const end = path.indexOf('/', PREFIX.length);
  return end !== -1 && bases.isServed(path.slice(end));
}

function findByPrefix(whole: string, named: string | undefined, worlds: Worlds): Destination | undefined {
  const end = whole.indexOf('/', PREFIX.length);
  if (end === -1) return undefined;
  const path = whole.slice(end);
  if (!worlds.default.contract.bases.isServed(path)) return undefined;
  const name = decode(whole.slice(PREFIX.length, end));
  const prefix = whole.slice(0, end);
  if (named !== undefined && named !== name) {
    const message = `the path names the world ${name}, the header X-Petstore-World the world ${named}; send one of them`;
    return { entry: { rejected: { status: 400, message: worlds.default.redact(message) } }, prefix, path };
  }
  return { entry: worlds.enter(name), prefix, path };
}

/** Valid names need no escapes, so a name with a broken one is refused as it is. */
function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
