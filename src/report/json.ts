import type { ExchangeResult, RunResult } from '../conformance/result.js';
import { spellOutJson } from '../redact/spell-out.js';
import { groupKnownProblems, groupProblems } from './problems.js';
import type { ReportFormat } from './report.js';

/**
 * The result as JSON, described by `spec/conformance-result.schema.json`. It contains evidence once: what a
 * problem shows is complete, long bodies of other exchanges are cut, so that a report can be mailed.
 */
export const jsonReport: ReportFormat = {
  name: 'json',
  file: 'conformance.json',
  // What merges shards reads it again, and needs all of it.
  write: (result) => `${spellOutJson(writeLines(result.shard === undefined ? keepEvidence(result) : result))}\n`,
};

/** How much is kept of a body that shows a deviation if a problem shows another. */
const MOST_OF_BODY = 120;

/** An item of a list in a line, such as a scenario or a problem: indented, a report would be twice as long. */
function writeLines(result: RunResult): string {
  const rows = Object.entries(result).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : [`  ${JSON.stringify(name)}: ${writeValue(value)}`],
  );
  return `{\n${rows.join(',\n')}\n}`;
}

function writeValue(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`;
}

function keepEvidence(result: RunResult): RunResult {
  const shown = new Set([...groupProblems(result), ...groupKnownProblems(result)].map(({ exchange }) => exchange));
  const scenarios = result.scenarios.map((scenario) => {
    const steps = scenario.steps.map(({ id, exchanges }) => ({
      id,
      exchanges: exchanges.map((exchange) => (shown.has(exchange) ? exchange : shorten(exchange))),
    }));
    return Object.assign({}, scenario, { steps });
  });
  return { ...result, scenarios };
}

function shorten(exchange: ExchangeResult): ExchangeResult {
  const { request, response, findings } = exchange;
  const most = findings.some(({ severity }) => severity === 'deviation') ? MOST_OF_BODY : 0;
  return {
    ...exchange,
    request: {
      ...request,
      headers: {},
      ...(request.body === undefined ? {} : { body: cutBody(request.body, MOST_OF_BODY) }),
    },
    ...(response === undefined
      ? {}
      : { response: { status: response.status, headers: {}, body: cutBody(response.body, most) } }),
  };
}

/** The beginning of a long body, and how long it is. A short one is kept. */
export function cutBody(body: string, most: number): string {
  const kept = Math.max(most, 60);
  if (body.length <= kept) return body;
  return `${body.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}… (${body.length} characters)`;
}
