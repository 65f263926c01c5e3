// Keeps the credentials of a run good: gets those that the run logs in for, renews what has expired, and notices when what was
// accepted is rejected everywhere, which says nothing about the operations of the target.
import { PetstoreMockError } from '../../../errors.js';
import type { Answered, Unanswered, WireAnswer, WireRequest } from '../../model/wire.js';
import type { Send } from '../http/send-politely.js';
import { createAcceptedRequests, isRejection, mayBeRejection } from './accepted-requests.js';
import { holdCredentials, type HoldOptions } from './held-credentials.js';

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
  /** From now on, responses say what was seen of operations that ask for credentials though the contract does not. */
  beginJudging: () => void;
  /** Why no credential is left that the target takes, as a sentence without a full stop; `undefined` if there is one. */
  whyExpired: () => string | undefined;
}

export interface KeepOptions extends HoldOptions {
  /** Called once, when the credentials are no longer accepted. */
  onExpired: (why: string) => void;
  /**
   * Called for each operation that serves a request with credentials alone, where the contract asks for none; with the scheme of one
   * of them if the target rejects all of them together.
   */
  onUnstated: (operation: string, alone: string | undefined) => void;
}

/** How often a 403 or a redirect is taken for a credential that may have expired, and was not; more where it was accepted before. */
const MOST_FRUITLESS = 5;
const MOST_OF_KNOWN = 20;

export function createCredentialKeeper(options: KeepOptions): CredentialKeeper {
  const held = holdCredentials(options);
  const accepted = createAcceptedRequests();
  /** Operations that reject what others accept: for those, nothing is renewed. */
  const rejecting = new Set<string>();
  const unstated = createUnstated(options);
  let why: string | undefined;
  let fruitless = 0;

  const fill = (request: WireRequest): WireRequest => ({ ...request, ...request.shown?.show(held.values) });
  const expire = (names: readonly string[], more?: string): Unanswered => {
    if (why === undefined) options.onExpired((why = describeEnd(names, accepted.count(), more)));
    return { kind: 'unanswered', reason: 'interrupted', detail: why, durationMs: 0 };
  };
  const isRejectedEverywhere = createQuestion(async (send) => {
    const sendBare = (request: WireRequest): Promise<WireAnswer> =>
      send({ ...request, ...request.shown?.show(undefined) });
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
    async start(send) {
      for (const [name, source] of options.sources) {
        const got = await held.get(name, source, send);
        if (got.ok) continue;
        if (got.unanswered !== undefined) return got.unanswered;
        throw new PetstoreMockError('login-failed', `no credential for ${name}: ${got.why}.`);
      }
      return undefined;
    },
    follow: (send) => async (request, onPutOff) => {
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
      // Of what may have another reason, a few are enough to learn that.
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
      // It was renewed meanwhile, for another request.
      const again = held.countRounds(renewable) > before ? await send(fill(request)) : answer;
      if (!isRejection(again) && !(isExpired && mayBeRejection(again))) return again;
      if (renewable.length > 0) return renewAndSend(request, renewable, again, send);
      if (!isExpired && (accepted.since(startedAt) || !(await isRejectedEverywhere(send)))) return answer;
      return expire(names);
    },
    beginJudging: unstated.beginJudging,
    whyExpired: () => why,
  };
}

/** The operations that ask for credentials though the contract does not. */
interface Unstated {
  /** Sends a request without credentials, and again with those that were given where it is rejected. */
  ask: (request: WireRequest, values: Readonly<Record<string, string>>, send: Send) => Promise<WireAnswer>;
  /** A response with what was seen of its operation, once. */
  tell: (operation: string, answer: Answered) => Answered;
  beginJudging: () => void;
}

function createUnstated({ onUnstated }: Pick<KeepOptions, 'onUnstated'>): Unstated {
  /** Operations that reject requests with credentials as well. */
  const unhelped = new Set<string>();
  const untold = new Map<string, number>();
  let isJudging = false;
  const tell: Unstated['tell'] = (operation, answer) => {
    const withoutCredentials = untold.get(operation);
    if (withoutCredentials === undefined || !isJudging) return answer;
    untold.delete(operation);
    return { ...answer, withoutCredentials };
  };
  return {
    async ask(request, values, send) {
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
    beginJudging: () => void (isJudging = true),
  };
}

function isServed(answer: WireAnswer): boolean {
  return answer.kind === 'answered' && answer.status < 400;
}

function asksWhoItIs(answer: WireAnswer): answer is Answered {
  return answer.kind === 'answered' && (answer.status === 401 || answer.status === 403);
}

function describeEnd(names: readonly string[], count: number, more?: string): string {
  const named = names.filter((name) => name !== '').join(' and ');
  const whose = named === '' ? '' : ` for ${named}`;
  const end = more === undefined ? ': what was served before is rejected now' : `, ${more}`;
  return `the credential${whose} expired after ${count} requests${end}`;
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
