import { spellOutJson } from '../redact/spell-out.js';
import { cutText } from '../contract/document/json.js';
import type { ExchangeResult, Finding, RunResult } from '../conformance/model/result.js';
import { groupKnownProblems, groupProblems, star, type ReportFormat } from './report-format.js';

/**
 * The result as JSON, described by `spec/conformance-result.schema.json`. It contains evidence once, so that a report can
 * be mailed.
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

type Said = { findings: Map<string, Finding>; bases: Set<string> };

type Told = Omit<Finding, 'expected' | 'actual'> & Partial<Pick<Finding, 'expected' | 'actual'>>;

/**
 * A result with its evidence once. The exchange that a problem shows is complete up to a few thousand letters of a body.
 * The others are what was sent and the status that came back, with the beginning of an answer that deviates in a way of
 * its own: the HAR report has all of them. Findings that are alike are one, and none repeats what the first of its kind has said.
 */
function keepEvidence(result: RunResult): object {
  const shown = new Set([...groupProblems(result), ...groupKnownProblems(result)].map(({ exchange }) => exchange));
  const said: Said = { findings: new Map(), bases: new Set() };
  const scenarios = result.scenarios.map(({ steps, ...scenario }) => {
    const { basis } = scenario;
    const isSaid = said.bases.has(basis.text);
    said.bases.add(basis.text);
    return {
      ...scenario,
      basis: isSaid ? { text: basis.text } : basis,
      durationMs: Math.round(scenario.durationMs),
      steps: steps.map(({ exchanges, ...step }) => ({
        ...step,
        exchanges: exchanges.map((exchange) => {
          if (!shown.has(exchange)) return shorten(exchange, said);
          const { response } = exchange;
          // Complete, except for what nobody reads to its end.
          return { ...exchange, response: response && { ...response, body: cutBody(response.body, MOST_OF_SHOWN) } };
        }),
      })),
    };
  });
  return { ...result, scenarios };
}

function shorten(exchange: ExchangeResult, said: Said): object {
  const { operationId, request, response, failure, durationMs, shared, findings } = exchange;
  const { method, path, base, auth, body, breaks, asksUnknown, asksFor } = request;
  const told = joinAlike(findings).map((finding) => sayOnce(finding, said));
  const isTold = told.length > 0;
  // What an answer says is of interest where it deviates in a way of its own.
  const isNews = told.some(({ severity, actual }) => severity === 'deviation' && actual !== undefined);
  // JSON has no members that are undefined.
  return {
    operationId,
    request: {
      method,
      path,
      base,
      auth: auth === 'valid' ? undefined : auth,
      body: body === undefined ? undefined : cutBody(body, MOST_OF_BODY),
      breaks: isTold ? breaks : undefined,
      asksUnknown,
      asksFor,
    },
    response: response && {
      status: response.status,
      body: isNews ? cutBody(response.body, MOST_OF_ANSWER) : undefined,
    },
    failure,
    durationMs: isTold ? Math.round(durationMs) : undefined,
    shared,
    findings: isTold ? told : undefined,
  };
}

function joinAlike(findings: readonly Finding[]): Finding[] {
  const joined = new Map<string, Finding>();
  for (const finding of findings) {
    const kind = nameKind(finding);
    const first = joined.get(kind);
    joined.set(
      kind,
      first === undefined ? cutValues(finding) : { ...first, more: (first.more ?? 0) + 1 + (finding.more ?? 0) },
    );
  }
  return [...joined.values()];
}

function cutValues({ expected, value, actual, ...finding }: Finding): Finding {
  const cut = (text: string): string => cutText(text, MOST_OF_VALUE);
  return {
    ...finding,
    expected: cut(expected),
    ...(value === undefined ? {} : { value: cut(value) }),
    actual: cut(actual),
  };
}

function sayOnce(finding: Finding, { findings }: Said): Told {
  const kind = nameKind(finding);
  const first = findings.get(kind);
  if (first === undefined) {
    findings.set(kind, finding);
    return finding;
  }
  const { expected, wanted, value, actual, contract: _, ...rest } = finding;
  const due = { expected, ...(wanted === undefined ? {} : { wanted }), ...(value === undefined ? {} : { value }) };
  return { ...rest, ...(expected === first.expected ? {} : due), ...(actual === first.actual ? {} : { actual }) };
}

function nameKind({ check, rule, at, severity }: Finding): string {
  return JSON.stringify([check, rule, star(at), severity]);
}

/** The beginning of a long body, and how long it is. A short one is kept. */
export function cutBody(body: string, most: number): string {
  const kept = Math.max(most, 60);
  if (body.length <= kept) return body;
  return `${body.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}… (${body.length} characters)`;
}

/** JSON with each item of a list in a line, such as a scenario or an exchange: indented, a report would be twice as long. */
export function writeLines(result: object): string {
  const rows = Object.entries(result).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const items = Array.isArray(value) ? value.map((item) => `    ${JSON.stringify(item)}`) : [];
    const list = items.length === 0 ? undefined : `[\n${items.join(',\n')}\n  ]`;
    return [`  ${JSON.stringify(name)}: ${list ?? JSON.stringify(value)}`];
  });
  return `{\n${rows.join(',\n')}\n}`;
}
