import { execPath } from 'node:process';
import { packageFile } from '../../package-files.js';
import { loadChildProcess } from '../document/load-when-needed.js';
import type { LookupFunction } from 'node:net';

export type RemoteReader = (url: string) => Fetched;
export type FetchOrder = { url: string; options: Omit<FetchOptions, 'lookup' | 'findProxy'> };

const PROGRAM = 'dist/cli/fetch-document.js';
const PATIENCE_FOR_ALL_MS = 60_000;
const MOST_DOCUMENTS = 200;
const START_MS = 5000;

/** Contracts are read synchronously (`createPetstoreApp`), but the network is not: so a separate program fetches. */
export function createRemoteReader(options: FetchOrder['options'] = {}): RemoteReader {
  let left = PATIENCE_FOR_ALL_MS;
  let asked = 0;
  return (url) => {
    asked += 1;
    if (asked > MOST_DOCUMENTS)
      return { why: `is not fetched: a document may refer to at most ${MOST_DOCUMENTS} URLs` };
    if (left <= 0)
      return { why: `is not fetched: the timeout of ${PATIENCE_FOR_ALL_MS / 1000} seconds for all documents is over` };
    const started = performance.now();
    const order = { url, options: { ...options, timeout: Math.min(left, options.timeout ?? PATIENCE_MS) } };
    const { stdout, status } = loadChildProcess().spawnSync(execPath, [packageFile(PROGRAM)], {
      input: JSON.stringify(order),
      encoding: 'utf8',
      timeout: (order.options.timeout ?? PATIENCE_MS) + START_MS,
      // JSON writes some characters as six.
      maxBuffer: 6 * LONGEST + 1024,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const fetched =
      status === 0 ? (JSON.parse(stdout) as Fetched) : { why: 'cannot be fetched: the fetching process failed' };
    left -= performance.now() - started;
    return fetched;
  };
}

export type Fetched = FetchedText | { why: string };

export interface FetchedText {
  text: string;
  at?: string;
  /** Its entity tag (RFC 9110 section 8.8.3), if the server gave one. */
  etag?: string;
}

/** The document that a user named: its host may be what the hosts of references may not. */
export interface OwnHost {
  url: string;
  /** Whether its host may have a private address. Default: `false`, a public one or that of this machine. */
  allowPrivate?: boolean | undefined;
}

export interface FetchOptions {
  /** For all hops together, in milliseconds. Default: 10 seconds. */
  timeout?: number;
  /** The longest document, in bytes. Default: 16 MiB. */
  most?: number;
  /** Addresses to contact although they are not public. For tests only; no option of a user leads here. */
  allowedAddresses?: readonly string[];
  /** Default: none, only public addresses are asked, without credentials and without a proxy. */
  own?: OwnHost | undefined;
  isEntry?: boolean;
  known?: FetchedText | undefined;
  findProxy?: ((url: string) => string | undefined) | undefined;
  lookup?: LookupFunction;
}

const MIB = 1024 * 1024;
export const LONGEST = 16 * MIB;
export const PATIENCE_MS = 10_000;

export function hidePassword(url: string): string {
  return url
    .replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/?#]*@/i, '$1//[redacted]@')
    .replaceAll(
      /([?&](?:[\w-]*(?:key|token|secret|passw|signature|credential|auth)[\w-]*|sig)=)[^&#]+/gi,
      '$1[redacted]',
    );
}

export function withoutUser(url: string): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare.href;
}

export function isWebUrl(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i.test(hostname);
