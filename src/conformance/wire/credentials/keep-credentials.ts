// Keeps the credentials of a run good: gets those that the run logs in for, renews what has expired, and notices when what was
// accepted is rejected everywhere, which says nothing about the operations of the target.
import type { Contract } from '../../../contract/contract.js';
import { PetstoreMockError } from '../../../errors.js';
import type { CredentialSource } from '../../model/credential-source.js';
import { isReading, type Answered, type Unanswered, type WireAnswer, type WireRequest } from '../../model/wire.js';
import { createHttpClient } from '../http/http-client.js';
import type { Send } from '../http/send-politely.js';
import { getCredential, type Got } from './get-credential.js';

export interface CredentialKeeper {
  /** The current values of what the run gets by itself, by their names. */
  values: Readonly<Record<string, string>>;
  /**
   * Gets all for the first time. Throws a {@link PetstoreMockError} with the code `login-failed`; resolves with what came in
   * place of a response where the target gave none.
   */
  start: (send: Send) => Promise<Unanswered | undefined>;
  /** Sends with the current credentials, and renews those that have expired. */
  follow: (send: Send) => Send;
  /** Why no credential is left that the target takes, as a sentence without a full stop; `undefined` if there is one. */
  whyExpired: () => string | undefined;
}

export interface KeepOptions {
  contract: Contract;
  target: URL;
  sources: ReadonlyMap<string, CredentialSource>;
  userAgent: string;
  timeoutMs: number;
  /** Called with each credential before it is used, since no output may have it. */
  onSecret: (secret: string) => void;
  /** Called once, when the credentials are no longer accepted. */
  onExpired: (why: string) => void;
  signal: AbortSignal;
  /** Milliseconds from some start. Default: the machine's. */
  now?: () => number;
}

interface Held {
  source: CredentialSource;
  value: string;
  /** How often it was got. */
  round: number;
  /** When it is to be renewed, on the clock of the options. */
  dueAt: number;
  refresh: string | undefined;
  /** The renewal under way, which all requests wait for that need it. */
  renewing: Promise<Got> | undefined;
}

/** How many requests that were accepted are asked again, to learn whether a credential is rejected everywhere. */
const MOST_ASKED_AGAIN = 4;
/** Before its end a token is renewed by this part of its time, and so many milliseconds at most. */
const MARGIN = 0.1;
const LONGEST_MARGIN_MS = 10_000;

export function createCredentialKeeper(options: KeepOptions): CredentialKeeper {
  const { now = () => performance.now() } = options;
  const held = new Map<string, Held>();
  const values: Record<string, string> = {};
  const accepted = createAccepted();
  /** Operations that reject what others accept: for those, nothing is renewed. */
  const rejecting = new Set<string>();
  let why: string | undefined;

  const get = async (name: string, source: CredentialSource, send: Send): Promise<Got> => {
    const { contract, target, userAgent, signal } = options;
    const known = held.get(name);
    const got = await getCredential(
      source,
      { name, contract, target, userAgent, signal, send: (url, request) => sendTo(url, request, send, options) },
      known?.refresh,
    );
    if (!got.ok) return got;
    for (const secret of [got.value, got.refresh ?? '']) if (secret !== '') options.onSecret(secret);
    const { value, expiresInMs = Number.POSITIVE_INFINITY, refresh } = got;
    const dueAt = now() + expiresInMs - Math.min(expiresInMs * MARGIN, LONGEST_MARGIN_MS);
    values[name] = value;
    held.set(name, { source, value, round: (known?.round ?? 0) + 1, dueAt, refresh: refresh ?? known?.refresh, renewing: undefined });
    return got;
  };
  /** Those that ask at the same time share a renewal. */
  const renew = (name: string, send: Send): Promise<Got> => {
    const one = held.get(name) as Held;
    one.renewing ??= get(name, one.source, send).finally(() => (one.renewing = undefined));
    return one.renewing;
  };
  const expire = (reason: string): Unanswered => {
    if (why === undefined) {
      why = reason;
      options.onExpired(reason);
    }
    return { kind: 'unanswered', reason: 'interrupted', detail: why, durationMs: 0 };
  };
  const listRenewable = (request: WireRequest): string[] =>
    (request.shown?.names ?? []).filter((name) => (held.get(name)?.source.renew ?? 'on-401') === 'on-401' && held.has(name));
  const sumRounds = (names: readonly string[]): number => names.reduce((sum, name) => sum + (held.get(name)?.round ?? 0), 0);

  const postpone = (name: string): void => {
    const one = held.get(name);
    if (one !== undefined) one.dueAt = Number.POSITIVE_INFINITY;
  };

  /** Renews what a request shows; says why that cannot be done. */
  const renewAll = async (names: readonly string[], send: Send): Promise<string | undefined> => {
    const all = await Promise.all(names.map((name) => renew(name, send)));
    const failed = all.find((got) => !got.ok);
    return failed?.ok === false ? failed.why : undefined;
  };

  const isRejectedEverywhere = createQuestion(
    async (send) => why !== undefined || (await asksInVain(accepted, (request) => send(fill(request)), send)),
  );
  const fill = (request: WireRequest): WireRequest =>
    request.shown === undefined ? request : { ...request, ...request.shown.show(values) };

  const sendAgain = async (request: WireRequest, names: readonly string[], first: Answered, send: Send): Promise<WireAnswer> => {
    const operationId = request.shown?.of ?? '';
    if (rejecting.has(operationId)) return first;
    const failed = await renewAll(names, send);
    if (failed !== undefined) return expire(describeEnd(names, accepted.count(), `and it could not be renewed: ${failed}`));
    const again = await send(fill(request));
    if (!isRejection(again)) return again;
    rejecting.add(operationId);
    if (!(await isRejectedEverywhere(send))) return again;
    return expire(describeEnd(names, accepted.count(), 'and a new one is rejected too'));
  };

  return {
    values,
    async start(send) {
      for (const [name, source] of options.sources) {
        const got = await get(name, source, send);
        if (got.ok) continue;
        if (got.unanswered !== undefined) return got.unanswered;
        throw new PetstoreMockError('login-failed', `no credential for ${name}: ${got.why}.`);
      }
      return undefined;
    },
    follow: (send) => async (request, onPutOff) => {
      const { shown } = request;
      if (shown === undefined || shown.names.length === 0) return send(request, onPutOff);
      if (why !== undefined) return expire(why);
      const renewable = listRenewable(request);
      const due = renewable.filter((name) => now() >= (held.get(name)?.dueAt ?? Number.POSITIVE_INFINITY));
      // What cannot be renewed yet may be accepted a little longer.
      if (due.length > 0 && (await renewAll(due, send)) !== undefined) for (const name of due) postpone(name);
      const before = sumRounds(renewable);
      const startedAt = accepted.start();
      const answer = await send(fill(request), onPutOff);
      if (!shown.isValid || answer.kind === 'unanswered') return answer;
      if (!isRejection(answer)) {
        accepted.note(request, answer, startedAt);
        return answer;
      }
      if (sumRounds(renewable) > before) {
        const again = await send(fill(request));
        if (!isRejection(again)) return again;
      }
      if (renewable.length > 0) return sendAgain(request, renewable, answer, send);
      if (accepted.since(startedAt) || !(await isRejectedEverywhere(send))) return answer;
      return expire(describeEnd(shown.names, accepted.count()));
    },
    whyExpired: () => why,
  };
}

function describeEnd(names: readonly string[], count: number, more = ''): string {
  const named = names.filter((name) => name !== '').join(' and ');
  const whose = named === '' ? '' : ` for ${named}`;
  const end = more === '' ? ': what was served before is rejected with 401 now' : `, ${more}`;
  return `the credential${whose} expired after ${count} requests${end}`;
}

/** 401 (RFC 9110 section 15.5.2), or a 403 whose challenge calls the token invalid (RFC 6750 section 3.1). */
function isRejection(answer: WireAnswer): answer is Answered {
  if (answer.kind === 'unanswered') return false;
  const { status, headers } = answer;
  return status === 401 || (status === 403 && /\binvalid_token\b/i.test(headers['www-authenticate'] ?? ''));
}

/** What was accepted with the credentials of the run. */
interface Accepted {
  /** Marks the start of a request. */
  start: () => number;
  note: (request: WireRequest, answer: Answered, startedAt: number) => void;
  /** Whether a request that began later was accepted, by an operation that asks for credentials indeed. */
  since: (startedAt: number) => boolean;
  count: () => number;
  /** Requests that may be sent again. */
  list: () => WireRequest[];
  /** Notes whether an operation serves a request without credentials, too. */
  judge: (request: WireRequest, isOpen: boolean) => void;
  isJudged: (request: WireRequest) => boolean;
}

function createAccepted(): Accepted {
  let started = 0;
  let newest = 0;
  let count = 0;
  let first: WireRequest | undefined;
  const last = new Map<string, WireRequest>();
  const open = new Set<string>();
  const closed = new Set<string>();
  const idOf = ({ shown }: WireRequest): string => shown?.of ?? '';
  return {
    start: () => (started += 1),
    note(request, { status }, startedAt) {
      const operationId = idOf(request);
      if (open.has(operationId)) return;
      count += 1;
      if (closed.has(operationId)) newest = Math.max(newest, startedAt);
      if (!isReading(request) || status >= 300) return;
      first ??= request;
      last.delete(operationId);
      last.set(operationId, request);
      const [oldest] = last.keys();
      if (last.size >= MOST_ASKED_AGAIN && oldest !== undefined) last.delete(oldest);
    },
    since: (startedAt) => newest > startedAt,
    count: () => count,
    list: () => [...new Set([...(first === undefined ? [] : [first]), ...last.values()])],
    judge(request, isOpen) {
      (isOpen ? open : closed).add(idOf(request));
      if (!isOpen) return;
      last.delete(idOf(request));
      if (first !== undefined && idOf(first) === idOf(request)) first = undefined;
    },
    isJudged: (request) => closed.has(idOf(request)),
  };
}

/**
 * Whether nothing that was accepted before is accepted now. What is served without credentials as well says nothing of them.
 * Nothing is concluded where nothing was accepted, or no response comes.
 */
async function asksInVain(accepted: Accepted, ask: Send, send: Send): Promise<boolean> {
  let rejected = 0;
  for (const request of accepted.list()) {
    const answer = await ask({ ...request, alone: true });
    if (isRejection(answer)) {
      rejected += 1;
      continue;
    }
    if (answer.kind === 'unanswered' || accepted.isJudged(request)) return false;
    const isOpen = !isRejection(await send({ ...request, ...request.shown?.show(undefined), alone: true }));
    accepted.judge(request, isOpen);
    if (!isOpen) return false;
  }
  return rejected > 0;
}

/** A question whose answer serves all who ask before it is put. */
function createQuestion(ask: (send: Send) => Promise<boolean>): (send: Send) => Promise<boolean> {
  let next: Promise<boolean> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (send) => {
    next ??= last.then(() => {
      next = undefined;
      return ask(send);
    });
    last = next;
    return next;
  };
}

/** The target's own requests go the run's way; another host is asked directly. */
async function sendTo(url: URL, request: WireRequest, send: Send, options: KeepOptions): Promise<WireAnswer> {
  if (url.origin === options.target.origin) return send(request);
  const client = createHttpClient({ target: url, timeoutMs: options.timeoutMs, signal: options.signal });
  try {
    return await client.send(request);
  } finally {
    client.close();
  }
}
