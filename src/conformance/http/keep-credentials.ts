import { PetstoreMockError } from '../../errors.js';
import { type Answered, type Unanswered, type WireAnswer, type WireRequest, isReading } from '../model/exchange.js';
import { interrupted, type Send } from './send-politely.js';
import type { Contract } from '../../contract/contract.js';
import type { CredentialSource, TlsOptions } from '../model/options.js';
import { createHttpClient, openRoute } from './http-client.js';
import { getCredential, type Got } from './get-credential.js';

interface KeepOptions extends HoldOptions {
  onExpired: (why: string) => void;
  /** `alone` is the scheme of one credential, if the target rejects all of them together. */
  onUnstated: (operation: string, alone: string | undefined) => void;
}

const MOST_FRUITLESS = 5;
const MOST_OF_KNOWN = 20;

export type CredentialKeeper = ReturnType<typeof createCredentialKeeper>;

export function createCredentialKeeper(options: KeepOptions) {
  const held = holdCredentials(options);
  const accepted = createAcceptedRequests();
  const rejecting = new Set<string>();
  const unstated = createUnstated(options);
  let why: string | undefined;
  let fruitless = 0;

  const fill = (request: WireRequest): WireRequest => ({ ...request, ...request.shown?.show(held.values) });
  const expire = (names: readonly string[], more?: string): Unanswered => {
    if (why === undefined) options.onExpired((why = describeEnd(names, accepted.count(), more)));
    return interrupted(why);
  };
  const isRejectedEverywhere = createQuestion(async (send) => {
    const sendBare = (request: WireRequest) => send({ ...request, ...request.shown?.show(undefined) });
    return why !== undefined || (await accepted.areRejected((request) => send(fill(request)), sendBare));
  });
  const renewAndSend = async (
    request: WireRequest,
    names: readonly string[],
    first: Answered,
    send: Send,
  ): Promise<WireAnswer> => {
    const operation = request.shown?.of ?? '';
    if (rejecting.has(operation)) return first;
    const failed = await held.renew(names, send);
    if (failed !== undefined) return expire(names, `and it could not be renewed: ${failed}`);
    const again = await send(fill(request));
    if (!mayBeRejection(again)) return again;
    rejecting.add(operation);
    return (await isRejectedEverywhere(send)) ? expire(names, 'and a new one is rejected too') : again;
  };

  return {
    values: held.values,
    /** Throws a {@link PetstoreMockError} `login-failed`; resolves with what came in place of a response of the target. */
    async start(send: Send): Promise<Unanswered | undefined> {
      for (const [name, source] of options.sources) {
        const got = await held.get(name, source, send);
        if (got.ok) continue;
        if (got.unanswered !== undefined) return got.unanswered;
        throw new PetstoreMockError('login-failed', `no credential for ${name}: ${got.why}.`);
      }
      return undefined;
    },
    follow:
      (send: Send): Send =>
      async (request, onPutOff) => {
        const { names = [], isValid = false } = request.shown ?? {};
        if (names.length === 0) return unstated.ask(request, held.values, (each) => send(each, onPutOff));
        if (why !== undefined) return expire(names);
        const renewable = held.listRenewable(request);
        const due = renewable.filter(held.isDue);
        if (due.length > 0) await held.renew(due, send);
        const before = held.countRounds(renewable);
        const startedAt = accepted.start();
        const answer = await send(fill(request), onPutOff);
        if (!isValid || answer.kind === 'unanswered') return answer;
        const { of = '' } = request.shown ?? {};
        const isDoubtful =
          !isRejection(answer) &&
          mayBeRejection(answer) &&
          fruitless < (accepted.knows(of) ? MOST_OF_KNOWN : MOST_FRUITLESS);
        const isExpired = isDoubtful && ((await isRejectedEverywhere(send)) || held.countRounds(renewable) > before);
        if (isDoubtful && !isExpired) fruitless += 1;
        if (!isRejection(answer) && !isExpired) {
          if (!mayBeRejection(answer)) accepted.note(request, answer, startedAt);
          return unstated.tell(of, answer);
        }
        const again = held.countRounds(renewable) > before ? await send(fill(request)) : answer;
        if (!isRejection(again) && !(isExpired && mayBeRejection(again))) return again;
        if (renewable.length > 0) return renewAndSend(request, renewable, again, send);
        if (!isExpired && (accepted.since(startedAt) || !(await isRejectedEverywhere(send)))) return answer;
        return expire(names);
      },
    beginChecks: unstated.beginChecks,
    whyExpired: (): string | undefined => why,
  };
}

function createUnstated({ onUnstated }: Pick<KeepOptions, 'onUnstated'>) {
  const unhelped = new Set<string>();
  const untold = new Map<string, number>();
  let isJudging = false;
  const tell = (operation: string, answer: Answered): Answered => {
    const withoutCredentials = untold.get(operation);
    if (withoutCredentials === undefined || !isJudging) return answer;
    untold.delete(operation);
    return { ...answer, withoutCredentials };
  };
  return {
    async ask(request: WireRequest, values: Readonly<Record<string, string>>, send: Send): Promise<WireAnswer> {
      const answer = await send(request);
      const { of = '', show, alone = [] } = request.withGiven ?? {};
      if (show === undefined || !asksWhoItIs(answer) || unhelped.has(of)) return answer;
      let again = await send({ ...request, ...show(values) });
      let scheme: string | undefined;
      for (const each of isServed(again) ? [] : alone) {
        const shown = await send({ ...request, ...each.show(values) });
        if (!isServed(shown)) continue;
        [again, scheme] = [shown, each.scheme];
        break;
      }
      if (again.kind === 'unanswered' || asksWhoItIs(again)) {
        unhelped.add(of);
        return answer;
      }
      untold.set(of, answer.status);
      onUnstated(of, scheme);
      return tell(of, again);
    },
    tell,
    beginChecks: (): void => void (isJudging = true),
  };
}

const isServed = (answer: WireAnswer): boolean => answer.kind === 'answered' && answer.status < 400;

function asksWhoItIs(answer: WireAnswer): answer is Answered {
  return answer.kind === 'answered' && (answer.status === 401 || answer.status === 403);
}

function describeEnd(names: readonly string[], count: number, more?: string): string {
  const named = names.filter((name) => name !== '').join(' and ');
  const whose = named === '' ? '' : ` for ${named}`;
  const end = more === undefined ? ': what was served before is rejected now' : `, ${more}`;
  return `the credential${whose} expired after ${count} requests${end}`;
}

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

interface HoldOptions {
  contract: Contract;
  target: URL;
  sources: ReadonlyMap<string, CredentialSource>;
  userAgent: string;
  timeoutMs: number;
  tls?: TlsOptions | undefined;
  onSecret: (secret: string) => void; // Called with each credential before it is used, since no output may have it.
  signal: AbortSignal;
  now?: () => number; // Milliseconds from some start. Default: the machine's.
}

interface Held {
  source: CredentialSource;
  round: number;
  dueAt: number;
  refresh: string | undefined;
  renewing: Promise<Got> | undefined;
}

function holdCredentials(options: HoldOptions) {
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
      dueAt: now() + expiresInMs - Math.min(expiresInMs * 0.1, 10_000),
      refresh,
      renewing: undefined,
    });
    return got;
  };
  const renewOne = (name: string, send: Send): Promise<Got> => {
    const one = held.get(name) as Held;
    one.dueAt = Number.POSITIVE_INFINITY;
    one.renewing ??= get(name, one.source, send).finally(() => (one.renewing = undefined));
    return one.renewing;
  };
  return {
    values,
    get,
    async renew(names: readonly string[], send: Send): Promise<string | undefined> {
      const all = await Promise.all(names.map((name) => renewOne(name, send)));
      const failed = all.find((got) => !got.ok);
      return failed?.ok === false ? failed.why : undefined;
    },
    listRenewable: ({ shown }: WireRequest): string[] =>
      (shown?.names ?? []).filter((name) => held.has(name) && held.get(name)?.source.renew !== 'never'),
    isDue: (name: string): boolean => now() >= (held.get(name)?.dueAt ?? Number.POSITIVE_INFINITY),
    countRounds: (names: readonly string[]): number =>
      names.reduce((sum, name) => sum + (held.get(name)?.round ?? 0), 0),
  };
}

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

function createAcceptedRequests() {
  let started = 0;
  let newest = 0;
  let count = 0;
  let first: WireRequest | undefined;
  const last = new Map<string, WireRequest>();
  const open = new Set<string>();
  const closed = new Set<string>();
  const served = new Set<string>();
  const forget = (operation: string): void => {
    open.add(operation);
    last.delete(operation);
    if (first !== undefined && operationOf(first) === operation) first = undefined;
  };
  return {
    start: (): number => (started += 1),
    note(request: WireRequest, { status }: Answered, startedAt: number): void {
      const operation = operationOf(request);
      if (open.has(operation)) return;
      count += 1;
      if (status < 300) served.add(operation);
      if (closed.has(operation)) newest = Math.max(newest, startedAt);
      if (!isReading(request) || status >= 300) return;
      first ??= request;
      last.delete(operation);
      last.set(operation, request);
      const [oldest] = last.keys();
      if (last.size >= 4 && oldest !== undefined) last.delete(oldest);
    },
    since: (startedAt: number): boolean => newest > startedAt,
    count: (): number => count,
    knows: (operation: string): boolean => served.has(operation),
    async areRejected(askAgain: Send, askBare: Send): Promise<boolean> {
      let rejected = 0;
      for (const request of new Set([...(first === undefined ? [] : [first]), ...last.values()])) {
        const answer = await askAgain({ ...request, alone: true });
        if (mayBeRejection(answer)) {
          rejected += 1;
          continue;
        }
        const operation = operationOf(request);
        if (answer.kind === 'unanswered' || closed.has(operation)) return false;
        if (mayBeRejection(await askBare({ ...request, alone: true }))) {
          closed.add(operation);
          return false;
        }
        forget(operation);
      }
      return rejected > 0;
    },
  };
}

const operationOf = ({ shown }: WireRequest): string => shown?.of ?? '';

function mayBeRejection(answer: WireAnswer): answer is Answered {
  return answer.kind === 'answered' && [401, 403, 302, 303, 307].includes(answer.status);
}

/** 401 (RFC 9110 section 15.5.2), or a 403 whose challenge calls the token invalid (RFC 6750 section 3.1). */
function isRejection(answer: WireAnswer): answer is Answered {
  if (answer.kind === 'unanswered') return false;
  const { status, headers } = answer;
  return status === 401 || (status === 403 && /\binvalid_token\b/i.test(headers['www-authenticate'] ?? ''));
}
