import { markKnown } from '../known/apply-baseline.js';
import { placeFinding } from '../../judge/check.js';
import { redactHeaders, redactScenario } from '../redact/redact-result.js';
import type { ExchangeResult, Finding, ScenarioResult } from '../../model/result.js';
import { splitTarget } from '../../wire/request/prepare-request.js';
import type { Run } from '../run.js';
import type { Unsteady } from './judge-looks.js';
import type { Sighting } from './ledger.js';
import { ENOUGH } from './look-once-more.js';
import { NOW_AND_THEN } from './now-and-then.js';

/** How many of the answers are shown. */
const MOST_SHOWN = 3;

/**
 * The results with what was there only now and then, each in a scenario that asked for it; one that a run met once alone
 * is worth a note, since a replica that starts anew shows the same.
 */
export function tellUnsteady(
  unsteady: readonly Unsteady[],
  results: readonly ScenarioResult[],
  { run, notes }: { run: Run; notes: Map<string, number> },
): ScenarioResult[] {
  let told = [...results];
  for (const each of unsteady) {
    const isTold = each.wrong.length > 0 && isDeviation(each, results);
    if (each.firm.length === 1 && !isTold) notes.set(describeOnce(each), 1);
    if (each.firm.length < (isTold ? 1 : ENOUGH)) continue;
    for (const look of each.firm.slice(0, MOST_SHOWN)) {
      const index = findAsker(told, look, run);
      told = told.map((scenario, position) => (position === index ? addLook(scenario, { look, each }, run) : scenario));
    }
  }
  return told;
}

/** Whether a scenario ended with such a look, so that it is a deviation already, of a record that is there all the same. */
function isDeviation({ operationId, wrong }: Unsteady, results: readonly ScenarioResult[]): boolean {
  const times = new Set(wrong.map(({ answer }) => answer.startedAt));
  return results.some(
    ({ verdict, steps }) =>
      verdict === 'deviated' &&
      steps.some(({ exchanges }) =>
        exchanges.some(
          (each) => each.operationId === operationId && times.has(each.startedAt) && each.findings.some(isOpen),
        ),
      ),
  );
}

function isOpen({ severity }: Finding): boolean {
  return severity === 'deviation';
}

function describeOnce({ operationId, kind, of }: Unsteady): string {
  const what = kind === 'record' ? 'a record' : 'records';
  return `${operationId} once lacked ${what} that it returned before and after (1 of ${of} responses). --settle gives the target more time; another run shows whether it is flaky`;
}

/** The scenario that sent the request most often, else one that asked the same operation. */
function findAsker(results: readonly ScenarioResult[], look: Sighting, run: Run): number {
  const path = pathOf(look, run);
  const count = ({ steps }: ScenarioResult): number =>
    steps
      .flatMap(({ exchanges }) => exchanges)
      .filter((each) => each.operationId === look.operationId)
      .reduce((sum, { request }) => sum + (request.path === path && request.auth === 'valid' ? 1000 : 1), 0);
  const counts = results.map(count);
  return counts.indexOf(Math.max(1, ...counts));
}

function pathOf({ wire }: Sighting, { prepareOptions }: Run): string {
  return splitTarget(wire, prepareOptions).rest;
}

function addLook(
  scenario: ScenarioResult,
  { look, each }: { look: Sighting; each: Unsteady },
  run: Run,
): ScenarioResult {
  const isAsked = ({ operationId }: ExchangeResult): boolean => operationId === look.operationId;
  const at = scenario.steps.findIndex(({ exchanges }) => exchanges.some(isAsked));
  const { reason: _, ...rest } = scenario;
  const steps = scenario.steps.map(({ exchanges, ...step }, index) => ({
    ...step,
    exchanges: index === at ? [...exchanges, describeLook(look, describeUnsteady(each, run), run)] : exchanges,
  }));
  return markKnown(redactScenario({ ...rest, verdict: 'deviated', steps }, run.redact), run.known);
}

function describeUnsteady({ operationId, kind, wrong, of }: Unsteady, run: Run): Finding {
  const operation = run.contract.operations.find(({ id }) => id === operationId);
  const around = operation === undefined ? undefined : `${operation.pointer}/responses`;
  const statuses = [...new Set(wrong.map(({ answer }) => answer.status))].join(' or ');
  const share = `${wrong.length} of ${of}`;
  const [check, actual] =
    kind === 'record'
      ? ['status', `${statuses} for ${share} fetches of records that exist`]
      : ['records', `${share} lists without records that exist`];
  const expected = 'what the same request shows before and after';
  const finding = { rule: NOW_AND_THEN, at: 'body', expected, actual };
  return placeFinding(check, finding, { contract: run.contract, around });
}

function describeLook(look: Sighting, finding: Finding, run: Run): ExchangeResult {
  const { operationId, wire, answer } = look;
  return {
    operationId,
    request: {
      method: wire.method,
      path: pathOf(look, run),
      auth: 'valid',
      headers: redactHeaders(wire.headers, run.redact, 'valid'),
    },
    response: {
      status: answer.status,
      headers: redactHeaders(answer.headers, run.redact),
      body: run.redact(Buffer.from(answer.bytes).toString('utf8')),
    },
    ...(answer.startedAt === undefined ? {} : { startedAt: answer.startedAt }),
    durationMs: answer.durationMs,
    findings: [finding],
  };
}
