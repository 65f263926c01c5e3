import { parseJsonBytes } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import type { ApiRequest } from '../../contract/model.js';
import { isWithin } from '../../contract/operations/match.js';
import { chooseCombination } from '../../contract/security.js';
import { keysFor } from '../../mock/request/credentials.js';
import { findOperation, longestBody } from '../../mock/request/read-request.js';
import { serveRequest } from '../../mock/handle-request.js';
import type { JournalEntry } from '../../mock/world/journal.js';
import type { World } from '../../mock/world/world.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { PLACEHOLDER } from '../../redact/redactor.js';
import { passRequest, findPlace } from '../http/middleware.js';
import { answerOutside, respondRejected } from '../http/outside.js';
import { KEY_VARIABLE } from './describe-mock.js';

export interface WrittenRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
  like: number | undefined;
}

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const TARGET = /^\/[!-~]*$/;
// oxlint-disable-next-line no-control-regex -- what a field may not contain (RFC 9110 section 5.5)
const CONTROLS = /[\u0000-\u0008\u000A-\u001F\u007F]/;

export function readDraft(bytes: Uint8Array): WrittenRequest | string {
  const parsed = parseJsonBytes(bytes);
  if (!parsed.ok) return `body: ${parsed.problem.message}`;
  const { method, target, headers, body, base64, like } = asObject(parsed.value);
  if (typeof method !== 'string' || !TOKEN.test(method)) return 'the method is one word, such as GET';
  if (typeof target !== 'string' || !TARGET.test(target))
    return 'the target begins with / and has no spaces; other characters are percent-encoded, a space as %20';
  const fields = Object.entries(asObject(headers));
  for (const [name, value] of fields) {
    if (!TOKEN.test(name)) return `${name} is not the name of a header field`;
    if (typeof value !== 'string' || CONTROLS.test(value)) return `the header field ${name} is one line of text`;
  }
  return {
    method: method.toUpperCase(),
    target,
    headers: Object.fromEntries(fields) as Record<string, string>,
    body:
      typeof base64 === 'string'
        ? Buffer.from(base64, 'base64')
        : typeof body === 'string'
          ? Buffer.from(body)
          : undefined,
    like: typeof like === 'number' ? like : undefined,
  };
}

type Sending = { worlds: Worlds; mountPath: string; host: string; like: JournalEntry | undefined };
export type Came = { entry: JournalEntry; world: World };

/**
 * Sends a draft as the server takes any request, but for the socket: a browser sends no cookies, no `Host` and no body of
 * a `GET` of one's own. Calls back once it is answered. Returns how to stop waiting, or `undefined` if it leaves no trace.
 */
export function sendDraft(
  draft: WrittenRequest,
  sending: Sending,
  done: (came: Came) => void,
): (() => void) | undefined {
  const { worlds, mountPath } = sending;
  // The app around the mock answers what is not below it.
  if (mountPath !== '' && !isWithin(mountPath, draft.target.split('?')[0] ?? '')) return undefined;
  const { method, target, headers, body: bytes } = draft;
  const [path = '', ...query] = target.split('?');
  const fields: Record<string, string> = { host: sending.host };
  for (const [name, value] of Object.entries(headers)) {
    const known = value === PLACEHOLDER ? sending.like?.request.headers[name.toLowerCase()] : undefined;
    // Node gives each byte of a field as a character.
    fields[name.toLowerCase()] = known ?? Buffer.from(value).toString('latin1');
  }
  if (bytes !== undefined) fields['content-length'] = String(bytes.length);
  const request = {
    method,
    path: path.slice(sending.mountPath.length),
    mountPath: sending.mountPath,
    query: query.join('?'),
    headers: fields,
    body: bytes,
  };
  const place = findPlace(request.path, request.headers, worlds);
  const world = place !== undefined && 'world' in place.entry ? place.entry.world : worlds.default;
  if (place !== undefined) Object.assign(request, { path: place.path, mountPath: `${mountPath}${place.prefix}` });
  fillKey(request, world);
  const most = longestBody(world.profile);
  if (request.body !== undefined && request.body.length > most)
    Object.assign(request, { body: undefined, bodyLongerThan: most });
  let isAnswered = false;
  const stops = worlds.names().flatMap((name) => {
    const entered = worlds.enter(name);
    if (!('world' in entered)) return [];
    return entered.world.journal.watch((entry) => {
      if (entry.request !== request) return;
      isAnswered = true;
      stop();
      done({ entry, world: entered.world });
    });
  });
  const stop = (): void => stops.forEach((each) => each());
  if (place === undefined) answerOutside(request, worlds);
  else if ('rejected' in place.entry) respondRejected(request, place.entry.rejected, worlds);
  else serveAgain(request, world, worlds);
  if (isAnswered || place !== undefined) return stop;
  stop();
  return undefined;
}

function fillKey(request: ApiRequest, world: World): void {
  const match = findOperation(request, world);
  if (match.kind !== 'operation') return;
  const [scheme] = chooseCombination(match.operation.security, () => true);
  const [key] = scheme === undefined ? [] : keysFor(world.credentials, scheme);
  if (key === undefined) return;
  const bytes = Buffer.from(key);
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    value?.replaceAll(KEY_VARIABLE, () => bytes.toString('latin1')),
  ]);
  const query = request.query
    .replaceAll(encodeURIComponent(KEY_VARIABLE), KEY_VARIABLE)
    .replaceAll(KEY_VARIABLE, () => encodeURIComponent(bytes.toString()));
  Object.assign(request, { headers: Object.fromEntries(headers), query });
}

/** Serves a request as the server would, and tells nobody but the journal. */
export function serveAgain(request: ApiRequest, world: World, worlds: Worlds): void {
  if (worlds.gate === undefined) return serveRequest(request, world, () => {});
  passRequest(request, worlds, { started: world.clock.elapsed(), world: world.name, done: () => {} });
}
