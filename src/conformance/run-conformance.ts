import { randomBytes } from 'node:crypto';
import { loadContract } from '../contract/contract.js';
import { PetstoreMockError } from '../errors.js';
import { packageFile, readPackageVersion } from '../package-files.js';
import type { RunListener } from './events.js';
import { createHttpClient } from './http-client.js';
import { loadScenarios, loadShippedScenarios } from './load-scenarios.js';
import { probeTarget } from './probe-target.js';
import { createRedact, isSecretName } from './redact.js';
import { RESULT_VERSION, type RunResult, type ScenarioResult, type Summary } from './result.js';
import type { Run } from './run.js';
import { runSuite } from './run-suite.js';
import { selectScenarios } from './select-scenarios.js';
import { createPoliteSend, type Send } from './send-politely.js';
import { createMemory, NAME_PREFIX } from './target-memory.js';

/** What to test, and how. */
export interface ConformanceOptions {
  /** The base URL, with its version segment: `https://staging.example/v1`. */
  target: string;
  /** The API key that the target accepts. */
  apiKey: string;
  /** The path of another contract. Default: the petstore's that ships. */
  spec?: string | undefined;
  /** Scenario files or folders, in addition to those that ship. Default: none. */
  scenarios?: readonly string[] | undefined;
  /** Ids or globs of the scenarios to run, with those they depend on. Default: all. */
  only?: readonly string[] | undefined;
  /** Ids or globs of scenarios to leave out. Default: none. */
  skip?: readonly string[] | undefined;
  /** No POST is ever sent. Default: `false`. */
  readOnly?: boolean | undefined;
  /** How long to wait for the target to come up, in milliseconds. Default: not at all. */
  waitForTargetMs?: number | undefined;
  /** The most one exchange may take, in milliseconds. Default: 10,000. */
  timeoutMs?: number | undefined;
  /** The most requests a second. Default: no bound. */
  rate?: number | undefined;
  /** How many scenarios run at a time. Default: 4. */
  concurrency?: number | undefined;
  /** How long to wait for what other clients see to settle, in milliseconds. Default: 2,000. */
  settleMs?: number | undefined;
  /** The most animals to create. Default: 40. */
  maxCreates?: number | undefined;
  /** A category that exists. Default: the commonest that a list shows, else 1. */
  categoryId?: number | bigint | undefined;
  /** Stop at the first deviation. Default: `false`. */
  bail?: boolean | undefined;
  /** Fields beyond the contract are deviations. Default: `false`. */
  strict?: boolean | undefined;
  /** Header fields to send with every request. Default: none. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** PEM certificates to trust beside the system's. */
  ca?: string | undefined;
  /** Called with everything that happens, in order. */
  onEvent?: RunListener | undefined;
  /** Ends the run early; its result tells what was done. */
  signal?: AbortSignal | undefined;
}

const DEFAULTS = { timeoutMs: 10_000, concurrency: 4, settleMs: 2000, maxCreates: 40 };

/** After so many requests in a row without an answer, nobody is there any more. */
const MAX_UNANSWERED = 5;

/**
 * Runs scenarios against a base URL. The result tells of every deviation; it is
 * returned, not thrown. Throws a {@link PetstoreMockError} when nothing can be
 * run: `target-unreachable`, `key-refused`, `unusable-scenario`,
 * `unusable-contract`, `empty-selection`, `bad-option`.
 */
export async function runConformance(options: ConformanceOptions): Promise<RunResult> {
  const target = readTarget(options.target);
  const contract = loadContractOf(options);
  const scenarios = selectScenarios(
    [...loadShippedScenarios(contract.operations), ...loadScenarios(options.scenarios ?? [], contract.operations)],
    { only: options.only ?? [], skip: options.skip ?? [] },
  );
  const onEvent = options.onEvent ?? (() => {});
  const started = { at: new Date().toISOString(), clock: performance.now() };
  const counts = { requests: 0, created: 0 };
  const notes = new Map<string, number>();
  const stop = new AbortController();
  options.signal?.addEventListener('abort', () => stop.abort(), { once: true });
  if (options.signal?.aborted === true) stop.abort();

  const client = createHttpClient({ target, timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs, ca: options.ca });
  const send = createPoliteSend({
    client,
    rate: options.rate,
    onWait: (reason, ms) => onEvent({ type: 'waiting', reason, ms }),
    onNote: (note) => notes.set(note, (notes.get(note) ?? 0) + 1),
    onSent: () => (counts.requests += 1),
    signal: stop.signal,
  });
  const secrets = listSecrets(options, target);
  const run: Run = {
    contract,
    prepareOptions: {
      contract,
      basePath: target.pathname.replace(/\/+$/, ''),
      apiKey: options.apiKey,
      extraHeaders: options.headers ?? {},
      userAgent: `petstore-conformance/${readPackageVersion()}`,
    },
    send: giveUpWhenSilent(send, () => {
      notes.set(`the target stopped answering: ${MAX_UNANSWERED} requests in a row got no answer, so the run ended`, 1);
      stop.abort();
    }),
    memory: createMemory(`${NAME_PREFIX}-${randomBytes(3).toString('hex')}`),
    // A short key stands in any text by chance.
    secrets: secrets.filter((secret) => secret.length >= SHORTEST_TELLING_KEY),
    redact: createRedact(secrets),
    longestSecret: Math.max(0, ...secrets.map(({ length }) => length)),
    strict: options.strict ?? false,
    settleMs: options.settleMs ?? DEFAULTS.settleMs,
    createsLeft: () => (options.maxCreates ?? DEFAULTS.maxCreates) - counts.created,
    countCreated: () => (counts.created += 1),
    outputs: new Map(),
    signal: stop.signal,
  };
  const shownTarget = showTarget(target);
  try {
    await probeTarget(
      { ...run, send },
      { waitForTargetMs: options.waitForTargetMs, categoryId: options.categoryId, shownAs: shownTarget },
    );
    onEvent({ type: 'runStarted', target: shownTarget, scenarios: scenarios.length });
    const outcomes = await runSuite(scenarios, run, {
      concurrency: options.concurrency ?? DEFAULTS.concurrency,
      readOnly: options.readOnly ?? false,
      bail: options.bail ?? false,
      onEvent,
    });
    const results = outcomes.map(({ result }) => result);
    const result: RunResult = {
      version: RESULT_VERSION,
      target: shownTarget,
      contract: { title: contract.title, version: contract.version, file: contract.document.file },
      startedAt: started.at,
      durationMs: performance.now() - started.clock,
      interrupted: options.signal?.aborted ?? false,
      summary: summarize(results, counts),
      scenarios: results,
      notes: [...notes].map(([note, times]) => run.redact(times === 1 ? note : `${note} (${times} times)`)),
    };
    onEvent({ type: 'runFinished', result });
    return result;
  } finally {
    client.close();
  }
}

const SHORTEST_TELLING_KEY = 8;
const SHIPPED_CONTRACT = 'spec/petstore.openapi.yaml';

function loadContractOf({ spec }: ConformanceOptions): ReturnType<typeof loadContract> {
  if (spec !== undefined) return loadContract(spec);
  return loadContract(packageFile(SHIPPED_CONTRACT), { shownAs: SHIPPED_CONTRACT, trusted: true });
}

function readTarget(text: string): URL {
  if (!URL.canParse(text))
    throw new PetstoreMockError(
      'bad-option',
      `the target ${text} is no URL; give the base URL, such as http://127.0.0.1:4010/v1.`,
    );
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new PetstoreMockError('bad-option', `the target ${showTarget(url)} must begin with http:// or https://.`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new PetstoreMockError('bad-option', `the target ${showTarget(url)} must have no query and no fragment.`);
  }
  return url;
}

/** Without the credentials that a URL may carry. */
function showTarget(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

function listSecrets({ apiKey, headers }: ConformanceOptions, target: URL): string[] {
  const fromHeaders = Object.entries(headers ?? {}).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  return [apiKey, ...fromHeaders, decodeURIComponent(target.password)].filter((secret) => secret !== '');
}

/** Ends a run against a target that has gone, instead of waiting out a timeout for every scenario. */
function giveUpWhenSilent(send: Send, giveUp: () => void): Send {
  let silent = 0;
  return async (request) => {
    const answer = await send(request);
    silent = answer.kind === 'answered' ? 0 : silent + 1;
    if (silent === MAX_UNANSWERED) giveUp();
    return answer;
  };
}

function summarize(results: readonly ScenarioResult[], counts: { requests: number; created: number }): Summary {
  const count = (verdict: ScenarioResult['verdict']): number =>
    results.filter((each) => each.verdict === verdict).length;
  return {
    passed: count('passed'),
    deviated: count('deviated'),
    observed: count('observed'),
    inconclusive: count('inconclusive'),
    skipped: count('skipped'),
    ...counts,
  };
}
