import { PetstoreMockError } from '../../../errors.js';
import { findUnsendable, findUnsendableInKey } from './header-text.js';
import type { ConformanceOptions } from '../../model/options.js';

export function readTarget(text: string): URL {
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text)) {
    throw new PetstoreMockError('bad-option', describeWrongTarget(text));
  }
  const url = new URL(text);
  if (url.search !== '' || url.hash !== '') {
    throw new PetstoreMockError('bad-option', `the target ${showTarget(url)} must have no query and no fragment.`);
  }
  return url;
}

/** A host without its scheme is the likeliest slip. What may contain a password is not shown. */
function describeWrongTarget(text: string): string {
  // Such as `localhost:4010/v1`, `api.example.com`.
  const isHost = /^(?:[\w-]+(?:\.[\w-]+)+|[\w.-]+:\d+)(?:\/[\w./-]*)?$/.test(text);
  if (isHost) return `the target is not a URL; should it be http://${text}?`;
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    return `the target is a URL of ${scheme}://; only http:// and https:// can be tested.`;
  return 'the target is not a URL; give the base URL, such as http://127.0.0.1:4010/v1.';
}

/** Whether a target is on this machine. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

export function readProxy(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  // The URL may contain a password, so it is not shown.
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text) || !isDecodable(new URL(text))) {
    throw new PetstoreMockError(
      'bad-option',
      'the proxy cannot be used; its URL must begin with http:// or https://, such as http://proxy.example:3128.',
    );
  }
  return new URL(text);
}

function isDecodable({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(`${username}${password}`) !== undefined;
  } catch {
    return false;
  }
}

export function checkHeaders({ apiKey, headers }: ConformanceOptions): void {
  const unsendable = findUnsendableInKey(apiKey);
  if (unsendable !== undefined) {
    throw new PetstoreMockError('bad-option', `the API key has ${unsendable}, which no header field can carry.`);
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name))
      throw new PetstoreMockError(
        'bad-option',
        'the name of a header field has characters that are not allowed there.',
      );
    const character = findUnsendable(value);
    if (character !== undefined)
      throw new PetstoreMockError('bad-option', `the header field ${name} has ${character}, which none can carry.`);
  }
}

/** Without the credentials that a URL may carry. */
export function showTarget(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}
