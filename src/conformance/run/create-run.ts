import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Contract } from '../../contract/contract.js';
import { createCoverage } from '../../contract/coverage.js';
import { readPackageVersion } from '../../package-files.js';
import type { KnownDeviations } from '../baseline/apply-baseline.js';
import { createBudget } from './create-budget.js';
import { createEvidenceKeeper } from './evidence.js';
import { readContractValues } from '../scenarios/contract-values.js';
import { createHttpClient } from '../http/http-client.js';
import type { ConformanceOptions } from '../options.js';
import { createPatience } from './patience.js';
import type { Redactor } from '../../redact/redactor.js';
import { isTelling, listSecrets } from '../list-secrets.js';
import { createGapRecorder, type GapRecorder } from '../gaps/observed-profile.js';
import type { Route } from '../http/route.js';
import type { Run } from './run.js';
import { createPoliteSend, type Send } from '../http/send-politely.js';
import { createMark, createMemory } from '../checks/target-memory.js';

/** A run that is under way, and what is counted of it. */
export interface Running {
  run: Run;
  /** Sends without giving up on a target that is silent: for the first look. */
  sendPatiently: Send;
  counts: { requests: number; created: number };
  gaps: GapRecorder;
  /** What is worth knowing of the target, with how often it was seen. */
  notes: Map<string, number>;
  isTargetLost(): boolean;
  isOutOfTime(): boolean;
  close(): void;
}

export const DEFAULTS = { timeoutMs: 10_000, maxCreates: 60, maxTimeMs: 15 * 60_000 };

/** After so many requests in a row without an answer, nobody is there any more. */
const MAX_UNANSWERED = 5;

/** What a run is made with, read already. */
interface Given {
  target: URL;
  contract: Contract;
  known: KnownDeviations;
  route: Route;
  redact: Redactor;
}

export function createRun(options: ConformanceOptions, { target, contract, known, route, redact }: Given): Running {
  const counts = { requests: 0, created: 0 };
  const secrets = listSecrets(options);
  const notes = new Map(noteWays(options, target, route).map((note) => [note, 1]));
  const gaps = createGapRecorder({ contract, now: Date.now() });
  const stop = followSignal(options.signal);
  const clock = limitTime(options.maxTimeMs ?? DEFAULTS.maxTimeMs, stop, (note) => notes.set(note, 1));
  const client = createHttpClient({
    target,
    timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
    route,
    signal: stop.signal,
  });
  const sendPatiently = createPoliteSend({
    client: {
      ...client,
      send: async (request) => {
        const answer = await client.send(request);
        gaps.hear(answer);
        return answer;
      },
    },
    rate: options.rate,
    onWait: (reason, ms) => options.onEvent?.({ type: 'waiting', reason, ms }),
    onNote: (note) => notes.set(note, (notes.get(note) ?? 0) + 1),
    onSent: () => (counts.requests += 1),
    deadline: clock.deadline,
    signal: stop.signal,
  });
  let targetLost = false;
  const giveUp = (): void => {
    targetLost = true;
    notes.set(`the run ended early: ${MAX_UNANSWERED} requests in a row got no complete answer`, 1);
    stop.abort('the target stopped answering');
  };
  const run: Run = {
    contract,
    prepareOptions: {
      contract,
      basePath: target.pathname.replace(/\/+$/, ''),
      apiKey: options.apiKey,
      extraHeaders: options.headers ?? {},
      moreFields: readContractValues(contract).moreFields,
      userAgent: `petstore-conformance/${readPackageVersion()}`,
    },
    send: giveUpWhenSilent(sendPatiently, giveUp),
    memory: createMemory(createMark(() => randomInt(26))),
    secrets: secrets.filter(isTelling),
    redact,
    strict: options.strict ?? false,
    patience: createPatience(options.settleMs),
    evidence: createEvidenceKeeper(),
    creates: createBudget(options.maxCreates ?? DEFAULTS.maxCreates, () => counts.created),
    countCreated: () => (counts.created += 1),
    observe: (exchange) => gaps.note(exchange),
    coverage: createCoverage(contract),
    outputs: new Map(),
    known,
    signal: stop.signal,
  };
  return {
    run,
    sendPatiently,
    counts,
    gaps,
    notes,
    isTargetLost: () => targetLost,
    isOutOfTime: () => clock.isOver(),
    close: () => {
      clock.stop();
      client.close();
    },
  };
}

/** Ends a run whose time is over, whatever it waits for. */
function limitTime(
  maxTimeMs: number,
  stop: AbortController,
  onNote: (note: string) => void,
): { deadline: number; isOver(): boolean; stop(): void } {
  const reason = `the time of the run was over (--max-time ${maxTimeMs / 1000})`;
  let isOver = false;
  const timer = setTimeout(
    () => {
      if (stop.signal.aborted) return;
      isOver = true;
      onNote(`the run ended early: ${reason}`);
      stop.abort(reason);
    },
    Math.min(maxTimeMs, LONGEST_TIMER_MS),
  );
  return { deadline: performance.now() + maxTimeMs, isOver: () => isOver, stop: () => clearTimeout(timer) };
}

/** What a timer of Node takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What makes the answers less than the target's own word. */
function noteWays({ tls }: ConformanceOptions, { protocol }: URL, { proxy }: Route): string[] {
  return [
    ...(tls?.insecure === true && protocol === 'https:'
      ? ['certificates were not checked (--insecure): anyone may have answered']
      : []),
    ...(proxy === undefined ? [] : [`every request went through the proxy ${proxy}`]),
  ];
}

const INTERRUPTED = 'the run was interrupted';

function followSignal(signal: AbortSignal | undefined): AbortController {
  const stop = new AbortController();
  // One for each exchange under way.
  setMaxListeners(0, stop.signal);
  signal?.addEventListener('abort', () => stop.abort(INTERRUPTED), { once: true });
  if (signal?.aborted === true) stop.abort(INTERRUPTED);
  return stop;
}

/** Ends a run against a target that has gone, instead of waiting out a timeout for every scenario. */
function giveUpWhenSilent(send: Send, giveUp: () => void): Send {
  let silent = 0;
  return async (request, onPutOff) => {
    const answer = await send(request, onPutOff);
    // An exchange that the run itself gave up says nothing of the target.
    if (answer.kind === 'unanswered' && answer.reason === 'interrupted') return answer;
    silent = answer.kind === 'answered' ? 0 : silent + 1;
    if (silent === MAX_UNANSWERED) giveUp();
    return answer;
  };
}
