import { PetstoreMockError, formatPlace } from '../../errors.js';
import type { ConformanceOptions } from '../model/options.js';
import type { ExchangeResult, Finding, RunResult, ScenarioResult } from '../model/result.js';
import { renameId } from '../scenarios/earlier-releases.js';
import { planRun } from './plan-run.js';
import { runConformance } from './run-conformance.js';

/** A run as a source of tests for a test suite, one per scenario. */
export interface ConformancePlan {
  /** The scenarios in the order of their files. */
  readonly scenarios: readonly { id: string; title: string }[];
  /**
   * Waits for a scenario; the first call starts the whole run. Throws an
   * error that says what deviates, unless the baseline contains it. The verdict of
   * the returned result may be `inconclusive` or `skipped`, with the reason.
   */
  check(id: string): Promise<ScenarioResult>;
  /** Waits for the end of the run, and starts it if necessary. */
  finish(): Promise<RunResult>;
  /** Ends the run if it is still going on. */
  close(): Promise<void>;
}

/**
 * Lists the scenarios at once, without a request, and runs them when the first
 * one is asked for. Takes the options of `runConformance` and throws as it does.
 *
 * @example
 * const plan = planConformance({ target: 'http://127.0.0.1:4010/v1', apiKey: 'petstore-dev-key' });
 * afterAll(() => plan.close());
 * for (const { id, title } of plan.scenarios) {
 *   test(`${id}: ${title}`, async ({ skip }) => {
 *     const { verdict, reason } = await plan.check(id);
 *     skip(verdict === 'inconclusive' || verdict === 'skipped', reason);
 *   });
 * }
 */
export function planConformance(options: ConformanceOptions): ConformancePlan {
  const scenarios = planRun(options).scenarios.map(({ id, title }) => ({ id, title }));
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal]);
  const done = new Map<string, (result: ScenarioResult) => void>();
  const results = new Map(
    scenarios.map(({ id }) => [id, new Promise<ScenarioResult>((resolve) => done.set(id, resolve))]),
  );
  let running: Promise<RunResult> | undefined;
  const finish = (): Promise<RunResult> =>
    (running ??= runConformance({
      ...options,
      signal,
      onEvent(event) {
        if (event.type === 'scenarioFinished') done.get(event.result.id)?.(event.result);
        options.onEvent?.(event);
      },
    }));
  return {
    scenarios,
    finish,
    async check(asked) {
      const id = renameId(asked, [...results.keys()]);
      const result = results.get(id);
      if (result === undefined)
        throw new PetstoreMockError('empty-selection', `there is no scenario ${asked} in this plan.`);
      // If the run as a whole fails, no scenario finishes.
      const scenario = await Promise.race([result, finish().then(() => result)]);
      if (scenario.verdict === 'deviated') throw new Error(explainDeviations(scenario, options.target));
      return scenario;
    },
    async close() {
      stop.abort();
      await running?.catch(() => {});
    },
  };
}

function explainDeviations({ id, title, steps }: ScenarioResult, target: string): string {
  const lines = steps.flatMap(({ exchanges }) => exchanges.flatMap(explainExchange));
  return [
    `${id} deviates: ${title}`,
    ...lines,
    `again: petstore-conformance --target ${hideCredentials(target)} --again '${id}'`,
  ].join('\n');
}

function explainExchange({ request, response, failure, findings }: ExchangeResult): string[] {
  const deviations = findings.filter(
    ({ severity, baseline }) => severity === 'deviation' && baseline?.state !== 'known',
  );
  if (deviations.length === 0) return [];
  const body = request.body === undefined ? '' : ` ${request.body}`;
  const answer = response?.status ?? failure ?? 'no answer';
  return [`${request.method} ${request.path}${body} → ${answer}`, ...deviations.map(explainFinding)];
}

function explainFinding({ at, expected, actual, contract }: Finding): string {
  const place = contract === undefined ? '' : ` (${formatPlace(contract)})`;
  return `  ${at}: expected ${expected}, but found ${actual}${place}`;
}

function hideCredentials(target: string): string {
  const url = new URL(target);
  return `${url.origin}${url.pathname}`;
}
