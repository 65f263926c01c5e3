// Calls the functions of a user's own around a run.
import { PetstoreMockError } from '../../../errors.js';
import type { HookedRequest, HookedRun, RunHooks } from '../../model/options.js';
import type { WireAnswer, WireRequest } from '../../model/exchange.js';
import type { Send } from './send-politely.js';

export interface Hooks {
  /** Throws a {@link PetstoreMockError} if the hook does. */
  before: (run: HookedRun) => Promise<void>;
  after: (run: HookedRun) => Promise<void>;
  /** Sends what the hook makes of each request. */
  follow: (send: Send) => Send;
}

/** Hooks that were given; `onFailed` is called once with why a run cannot go on, as a sentence without a full stop. */
export function callHooks({ before, after, request: change }: RunHooks, onFailed: (why: string) => void): Hooks {
  let why: string | undefined;
  const call = async (name: string, hook: RunHooks['before'], run: HookedRun): Promise<void> => {
    try {
      await hook?.(run);
    } catch (error) {
      throw new PetstoreMockError('bad-handler', `${describeFailure(name, error)}.`);
    }
  };
  const fail = (reason: string): WireAnswer => {
    if (why === undefined) onFailed((why = reason));
    return { kind: 'unanswered', reason: 'interrupted', detail: why, durationMs: 0 };
  };
  return {
    before: (run) => call('before', before, run),
    after: (run) => call('after', after, run),
    follow: (send) =>
      change === undefined
        ? send
        : async (request, onPutOff) => {
            if (why !== undefined) return fail(why);
            let changed: WireRequest;
            try {
              changed = apply(request, await change(describe(request)));
            } catch (error) {
              return fail(describeFailure('request', error));
            }
            return send(changed, onPutOff);
          },
  };
}

function describeFailure(name: string, error: unknown): string {
  return `the hook ${name} failed: ${(error instanceof Error ? error.message : String(error)).replace(/\.$/, '')}`;
}

function describe({ method, target, headers, body }: WireRequest): HookedRequest {
  const copied = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]);
  return {
    method,
    path: target,
    headers: Object.fromEntries(copied) as HookedRequest['headers'],
    body: body === undefined ? undefined : Buffer.from(body).toString('utf8'),
  };
}

function apply(request: WireRequest, change: unknown): WireRequest {
  if (change === undefined || change === null) return request;
  if (typeof change !== 'object') throw new TypeError('it must return an object, or nothing');
  const given = change as Partial<HookedRequest>;
  // A body that is no text stays as it was, byte for byte.
  const isNewBody = 'body' in given && given.body !== describe(request).body;
  const body = isNewBody ? (given.body === undefined ? undefined : Buffer.from(given.body)) : request.body;
  const headers = { ...(given.headers ?? request.headers) };
  const length = Object.keys(headers).find((name) => name.toLowerCase() === 'content-length');
  if (isNewBody && length !== undefined) headers[length] = String(body?.length ?? 0);
  return { ...request, method: given.method ?? request.method, target: given.path ?? request.target, headers, body };
}
