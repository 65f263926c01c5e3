import type { ExchangeResult, ScenarioResult } from '../../model/result.js';
import { wantsOnly } from '../statuses.js';

/** The status in the Error body of a success: it claims an error in its body and none in its status. */
export function readErrorAsSuccess({ response }: Pick<ExchangeResult, 'response'>): string | undefined {
  if (response === undefined || response.status < 200 || response.status > 299) return undefined;
  // A service that puts every record into a list of its own puts its errors there too.
  if (!/^(?:\[\s*)?\{/.test(response.body) || !ERROR_FIELDS.every((field) => field.test(response.body)))
    return undefined;
  return /(["'])status\1\s*:\s*(-?\d+)/.exec(response.body)?.[2];
}

/** In the order of a body's text, whose end a report may have cut, and whose quotation marks need not be those of JSON. */
const ERROR_FIELDS = [/(["'])code\1\s*:\s*["']/, /(["'])message\1\s*:\s*["']/, /(["'])status\1\s*:\s*-?\d/];

/**
 * The answers that refuse a request otherwise than they should, with the status in their Error bodies, where a service
 * gives errors as successes: that it refuses so is a defect of its own.
 */
export function listRefusals(scenarios: readonly ScenarioResult[]): ReadonlyMap<ExchangeResult, string> {
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  const errors = exchanges.flatMap((each) => {
    const status = readErrorAsSuccess(each);
    return status === undefined ? [] : [{ each, status }];
  });
  const ofValid = errors.filter(({ each }) => each.findings.some(isOfSuccess));
  const refusals = [...(ofValid.length === errors.length ? [] : ofValid), ...listOtherwise(errors)];
  return new Map(refusals.map(({ each, status }) => [each, status]));
}

interface ErrorAnswer {
  each: ExchangeResult;
  status: string;
}

/** Those whose Error says another refusal than the one that was due, and that others of the operation say where it is due. */
function listOtherwise(errors: readonly ErrorAnswer[]): ErrorAnswer[] {
  const said = new Set(errors.map(({ each, status }) => `${each.operationId} ${status}`));
  return errors.filter(({ each: { operationId, findings }, status }) => {
    const [due = '', ...others] = findings.flatMap(({ wanted = [] }) => wanted);
    const areRefusals = [due, status].every((each) => /^4\d\d$/.test(each));
    return others.length === 0 && areRefusals && status !== due && said.has(`${operationId} ${due}`);
  });
}

/** Whether a finding says that nothing but another success was expected. */
function isOfSuccess(finding: ExchangeResult['findings'][number]): boolean {
  return wantsOnly({ finding }, '2XX');
}
