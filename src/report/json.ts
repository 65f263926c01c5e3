import { cutText } from '../contract/document/cut-text.js';
import type { ExchangeResult, Finding, RunResult } from '../conformance/result.js';
import { spellOutJson } from '../redact/spell-out.js';
import { groupKnownProblems, groupProblems, star } from './problems.js';
import type { ReportFormat } from './report.js';

/**
 * The result as JSON, described by `spec/conformance-result.schema.json`. It contains evidence once, so that a report can
 * be mailed: the exchange that a problem shows is complete up to a few thousand letters of a body; other exchanges have
 * the beginning of theirs, findings that are alike once, and no place in the contract that a finding before them has.
 */
export const jsonReport: ReportFormat = {
  name: 'json',
  file: 'conformance.json',
  // What merges shards reads it again, and needs all of it.
  write: (result) => `${spellOutJson(writeLines(result.shard === undefined ? keepEvidence(result) : result))}\n`,
};

/** How much is kept of a body that a problem shows, of any other that was sent, and of any other that deviates. */
const MOST_OF_SHOWN = 4000;
const MOST_OF_BODY = 120;
const MOST_OF_ANSWER = 40;
const MOST_OF_VALUE = 80;

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
  const placed = new Set<string>();
  const scenarios = result.scenarios.map((scenario) => {
    const steps = scenario.steps.map(({ id, exchanges }) => ({
      id,
      exchanges: exchanges.map((exchange) => (shown.has(exchange) ? cutShown(exchange) : shorten(exchange, placed))),
    }));
    return Object.assign({}, scenario, { durationMs: Math.round(scenario.durationMs), steps });
  });
  return { ...result, scenarios };
}

/** Complete, except for what nobody reads to its end. */
function cutShown(exchange: ExchangeResult): ExchangeResult {
  const { response } = exchange;
  if (response === undefined) return exchange;
  return { ...exchange, response: { ...response, body: cutBody(response.body, MOST_OF_SHOWN) } };
}

function shorten({ startedAt: _, ...exchange }: ExchangeResult, placed: Set<string>): ExchangeResult {
  const { request, response, findings } = exchange;
  const most = findings.some(({ severity }) => severity === 'deviation') ? MOST_OF_ANSWER : 0;
  return {
    ...exchange,
    durationMs: Math.round(exchange.durationMs),
    findings: joinAlike(findings).map((finding) => placeOnce(finding, placed)),
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

/** Findings of one answer that differ in an index alone: the first, and how many more there are. */
function joinAlike(findings: readonly Finding[]): Finding[] {
  const joined = new Map<string, Finding>();
  for (const finding of findings) {
    const kind = `${nameRule(finding)} ${finding.severity}`;
    const first = joined.get(kind);
    const [expected, actual] = [cutText(finding.expected, MOST_OF_VALUE), cutText(finding.actual, MOST_OF_VALUE)];
    joined.set(
      kind,
      first === undefined
        ? { ...finding, expected, actual }
        : { ...first, more: (first.more ?? 0) + 1 + (finding.more ?? 0) },
    );
  }
  return [...joined.values()];
}

/** Only the first finding of a kind says where the contract states its rule. */
function placeOnce({ contract, ...finding }: Finding, placed: Set<string>): Finding {
  const rule = nameRule(finding);
  if (contract === undefined || placed.has(rule)) return finding;
  placed.add(rule);
  return { ...finding, contract };
}

function nameRule({ check, rule, at }: Finding): string {
  return JSON.stringify([check, rule, star(at)]);
}

/** The beginning of a long body, and how long it is. A short one is kept. */
export function cutBody(body: string, most: number): string {
  const kept = Math.max(most, 60);
  if (body.length <= kept) return body;
  return `${body.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}… (${body.length} characters)`;
}
