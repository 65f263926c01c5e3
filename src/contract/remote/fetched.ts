import type { LookupFunction } from 'node:net';

/** The text of a document, or why there is none: a phrase without a full stop that follows the reference to it. */
export type Fetched = { text: string } | { why: string };

export interface FetchOptions {
  /** For all hops together, in milliseconds. Default: 10 seconds. */
  timeout?: number;
  /** The longest document, in bytes. Default: 16 MiB. */
  most?: number;
  /** Addresses to contact although they are not public. For tests only; no option of a user leads here. */
  allowedAddresses?: readonly string[];
  /** Finds the addresses of a name. Default: the system's. */
  lookup?: LookupFunction;
}

const MIB = 1024 * 1024;
export const LONGEST = 16 * MIB;
export const PATIENCE_MS = 10_000;

/** A URL as it can be shown. */
export function hidePassword(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/?#]*@/i, '$1//[redacted]@');
}
