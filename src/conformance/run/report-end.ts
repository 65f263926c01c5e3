import { ENOUGH, type Vanished } from '../confirm/end-of-run.js';
import { placeFinding } from '../checks/check.js';
import type { Look } from '../ledger/record-ledger.js';
import type { Unsteady } from '../ledger/looks.js';
import { findLacking } from '../checks/list.js';
import { NOW_AND_THEN, type ExchangeResult, type Finding, type ScenarioResult } from '../model/result.js';
import { recordAt } from '../subjects/subject.js';
import { splitTarget } from '../wire/request/prepare-request.js';
import { markKnown } from './known/apply-baseline.js';
import { redactHeaders, redactScenario } from './redact/redact-result.js';
import type { Run } from './run.js';

/** A response that the run asked for outside its scenarios. */
type Seen = Pick<Look, 'operationId' | 'wire' | 'answer'>;

/** How many of the answers are shown. */
const MOST_SHOWN = 3;

/**
 * The results with what was there only now and then, each in a scenario that asked for it; one that a run met once alone
 * is worth a note, since a replica that starts anew shows the same.
 */
export function reportFlaky(
  unsteady: readonly Unsteady[],
  results: readonly ScenarioResult[],
  { run, notes }: { run: Run; notes: Map<string, number> },
): ScenarioResult[] {
  let reported = [...results];
  for (const each of unsteady) {
    const isReported = each.wrong.length > 0 && isDeviation(each, results);
    if (each.firm.length === 1 && !isReported) notes.set(describeOnce(each), 1);
    if (each.firm.length < (isReported ? 1 : ENOUGH)) continue;
    for (const look of each.firm.slice(0, MOST_SHOWN)) {
      const index = findAsker(reported, look, run);
      reported = reported.map((scenario, position) =>
        position === index ? addLook(scenario, { look, finding: describeUnsteady(each, run) }, run) : scenario,
      );
    }
  }
  return reported;
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
function findAsker(results: readonly ScenarioResult[], look: Seen, run: Run): number {
  const path = pathOf(look, run);
  const count = ({ steps }: ScenarioResult): number =>
    steps
      .flatMap(({ exchanges }) => exchanges)
      .filter((each) => each.operationId === look.operationId)
      .reduce((sum, { request }) => sum + (request.path === path && request.auth === 'valid' ? 1000 : 1), 0);
  const counts = results.map(count);
  return counts.indexOf(Math.max(1, ...counts));
}

function pathOf({ wire }: Seen, { prepareOptions }: Run): string {
  return splitTarget(wire, prepareOptions).rest;
}

/** A scenario that deviates by what a response shows that it did not ask for itself. */
function addLook(
  scenario: ScenarioResult,
  { look, finding }: { look: Seen; finding: Finding },
  run: Run,
): ScenarioResult {
  const isAsked = ({ operationId }: ExchangeResult): boolean => operationId === look.operationId;
  const asked = scenario.steps.findIndex(({ exchanges }) => exchanges.some(isAsked));
  const at = asked === -1 ? scenario.steps.length - 1 : asked;
  const { reason: _, ...rest } = scenario;
  const steps = scenario.steps.map(({ exchanges, ...step }, index) => ({
    ...step,
    exchanges: index === at ? [...exchanges, describeLook(look, finding, run)] : exchanges,
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

function describeLook(look: Seen, finding: Finding, run: Run): ExchangeResult {
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

/** The results with what vanished, each record in a scenario that asked for its list, else in one that created such records. */
export function reportVanished(
  vanished: readonly Vanished[],
  results: readonly ScenarioResult[],
  run: Run,
): ScenarioResult[] {
  let reported = [...results];
  for (const { entry, page } of vanished) {
    const { list } = entry.subject.roles;
    if (list === undefined) continue;
    const look = { operationId: list.operation.id, ...page };
    const lacking = findLacking(entry.id.key, { at: recordAt(list) ?? '' });
    const finding = placeFinding(
      'records',
      { ...lacking, resource: entry.subject.name },
      {
        contract: run.contract,
        around: `${list.operation.pointer}/responses`,
      },
    );
    const asker = findAsker(reported, look, run);
    const created = { ...look, operationId: entry.subject.roles.create?.operation.id ?? '' };
    const index = asker === -1 ? findAsker(reported, created, run) : asker;
    reported = reported.map((scenario, place) =>
      place === index ? addLook(scenario, { look, finding }, run) : scenario,
    );
  }
  return reported;
}
