// The credentials that a run gets by itself: their values, and when they were got.
import type { Contract } from '../../../contract/contract.js';
import type { CredentialSource, TlsOptions } from '../../model/options.js';
import type { WireAnswer, WireRequest } from '../../model/exchange.js';
import { createHttpClient } from '../http/http-client.js';
import { openRoute } from '../http/route.js';
import type { Send } from '../http/send-politely.js';
import { getCredential, type Got } from './get-credential.js';

export interface HoldOptions {
  contract: Contract;
  target: URL;
  sources: ReadonlyMap<string, CredentialSource>;
  userAgent: string;
  timeoutMs: number;
  /** How connections to other hosts are secured. */
  tls?: TlsOptions | undefined;
  /** Called with each credential before it is used, since no output may have it. */
  onSecret: (secret: string) => void;
  signal: AbortSignal;
  /** Milliseconds from some start. Default: the machine's. */
  now?: () => number;
}

export interface HeldCredentials {
  /** By their names. */
  values: Readonly<Record<string, string>>;
  get: (name: string, source: CredentialSource, send: Send) => Promise<Got>;
  /** Gets all of these anew; those that ask at the same time share a renewal. Says why that cannot be done. */
  renew: (names: readonly string[], send: Send) => Promise<string | undefined>;
  /** Those of a request that are renewed when it is rejected. */
  listRenewable: (request: WireRequest) => string[];
  /** Whether the time of one is over, and it was not yet tried to renew it. */
  isDue: (name: string) => boolean;
  /** Grows with each renewal of one of these. */
  countRounds: (names: readonly string[]) => number;
}

interface Held {
  source: CredentialSource;
  /** How often it was got. */
  round: number;
  /** When it is to be renewed, on the clock of the options. */
  dueAt: number;
  refresh: string | undefined;
  /** The renewal under way, which all requests wait for that need it. */
  renewing: Promise<Got> | undefined;
}

/** Before its end a token is renewed by this part of its time, and so many milliseconds at most. */
const MARGIN = 0.1;
const LONGEST_MARGIN_MS = 10_000;

export function holdCredentials(options: HoldOptions): HeldCredentials {
  const { now = () => performance.now() } = options;
  const held = new Map<string, Held>();
  const values: Record<string, string> = {};
  const get = async (name: string, source: CredentialSource, send: Send): Promise<Got> => {
    const known = held.get(name);
    const ask = (url: URL, request: WireRequest): Promise<WireAnswer> => sendTo(url, request, send, options);
    const got = await getCredential(source, { ...options, name, send: ask }, known?.refresh);
    if (!got.ok) return got;
    for (const secret of [got.value, got.refresh ?? '']) if (secret !== '') options.onSecret(secret);
    const { expiresInMs = Number.POSITIVE_INFINITY, refresh = known?.refresh } = got;
    values[name] = got.value;
    held.set(name, {
      source,
      round: (known?.round ?? 0) + 1,
      dueAt: now() + expiresInMs - Math.min(expiresInMs * MARGIN, LONGEST_MARGIN_MS),
      refresh,
      renewing: undefined,
    });
    return got;
  };
  const renewOne = (name: string, send: Send): Promise<Got> => {
    const one = held.get(name) as Held;
    // What cannot be renewed before its end may still be accepted.
    one.dueAt = Number.POSITIVE_INFINITY;
    one.renewing ??= get(name, one.source, send).finally(() => (one.renewing = undefined));
    return one.renewing;
  };
  return {
    values,
    get,
    async renew(names, send) {
      const all = await Promise.all(names.map((name) => renewOne(name, send)));
      const failed = all.find((got) => !got.ok);
      return failed?.ok === false ? failed.why : undefined;
    },
    listRenewable: ({ shown }) =>
      (shown?.names ?? []).filter((name) => held.has(name) && held.get(name)?.source.renew !== 'never'),
    isDue: (name) => now() >= (held.get(name)?.dueAt ?? Number.POSITIVE_INFINITY),
    countRounds: (names) => names.reduce((sum, name) => sum + (held.get(name)?.round ?? 0), 0),
  };
}

/** The target's own requests go the run's way; another host is asked directly. */
async function sendTo(url: URL, request: WireRequest, send: Send, options: HoldOptions): Promise<WireAnswer> {
  if (url.origin === options.target.origin) return send(request);
  const { timeoutMs, signal, tls } = options;
  const client = createHttpClient({ target: url, timeoutMs, signal, route: openRoute(url, { tls }) });
  try {
    return await client.send(request);
  } finally {
    client.close();
  }
}
