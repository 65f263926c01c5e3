import type { ExchangeResult, Finding, GapResult, RunResult } from '../../src/conformance/model/result.js';
import type { ScenarioResult, Verdict } from '../../src/conformance/model/result.js';

import { countProblems, findProblems } from '../../src/conformance/problems/problems.js';
import { reportFormats } from '../../src/report/index.js';
import type { ReportOptions } from '../../src/report/report-format.js';

/** A report as its format writes it. */
export function write(format: string, result: RunResult, options: Partial<ReportOptions> = {}): string {
  return reportFormats[format]?.write(result, { color: false, quiet: false, ...options }) ?? '';
}

/** What checks say of the value that was expected, of which these examples have the words alone. */
function makeValue({ expected = '' }: Partial<Finding>): Partial<Finding> {
  const [, value, source] = SOURCES.exec(expected) ?? [];
  if (value === undefined) return {};
  return source === 'as in the previous response' ? { value, isOfAnswers: true } : { value };
}

const SOURCES =
  /^(.*), (as it was sent|as in the previous response|the record's key|the HTTP status|the default in .*|the number of .*)$/;

/** A deviation; by default, a record of a list with a wrong status. */
export function makeFinding(finding: Partial<Finding> = {}): Finding {
  return {
    check: 'records',
    severity: 'deviation',
    rule: 'filter',
    at: 'body/0/status',
    expected: '"sold"',
    actual: '"pending"',
    contract: { file: 'spec/petstore.openapi.yaml', line: 57, pointer: '/paths/~1pets/get/parameters/1' },
    ...makeValue(finding),
    ...(finding.check === 'status' ? { wanted: finding.expected?.split(' or ') ?? [] } : {}),
    ...finding,
  };
}

export function makeExchange(exchange: Partial<ExchangeResult> = {}): ExchangeResult {
  return {
    operationId: 'listPets',
    request: {
      method: 'GET',
      path: '/pets?status=sold&limit=100',
      auth: 'valid',
      headers: { Accept: 'application/json', Authorization: '<valid>' },
    },
    response: { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' },
    durationMs: 1.5,
    findings: [],
    ...exchange,
  };
}

/** What the shipped scenario of an id is about. */
export function makeAbout(id: string): Pick<ScenarioResult, 'about'> {
  const [, resource, scenario, row = ''] = /^([^/]+)\/([^/]+\/[^/[]+)(?:\[(.*)\])?$/.exec(id) ?? [];
  if (resource === undefined || scenario === undefined) return {};
  const filter = scenario.startsWith('lists/filter') ? { filter: row.replace(/-.*/, '') } : {};
  const header = scenario === 'requests/sent-again' ? { header: row } : {};
  return { about: { resource, key: 'id', scenario, ...filter, ...header } };
}

export function makeScenario(id: string, verdict: Verdict, more: Partial<ScenarioResult> = {}): ScenarioResult {
  return {
    id,
    title: `what ${id} says`,
    basis: { text: 'RFC 9110 section 9.3.1' },
    ...makeAbout(id),
    verdict,
    durationMs: 2,
    steps: [],
    ...more,
  };
}

/** Coverage that lacks one part of the contract, of so many. */
export function makeCoverage(total: number, id = 'listPets answers 401'): RunResult['coverage'] {
  const contract = { file: 'spec/petstore.openapi.yaml', line: 72, pointer: '/paths/~1pets/get/responses/401' };
  return { total, covered: total - 1, missing: [{ id, kind: 'status', contract }] };
}

/** Scenarios with a problem of their own each. */
export function makeProblems(count: number, idOf: (index: number) => string, finding: Partial<Finding> = {}) {
  return Array.from({ length: count }, (_, index) =>
    makeDeviating(idOf(index), [makeFinding({ check: 'own', rule: `r${index}`, ...finding })]),
  );
}

/** A gap at which the target was seen. */
export function makeGap(gap: Partial<GapResult> = {}): GapResult {
  return {
    id: 'head',
    kind: 'choice',
    question: 'Is HEAD answered?',
    contract: { file: 'spec/petstore.openapi.yaml', line: 29, column: 5, pointer: '/paths/~1pets/get' },
    answer: 'answered',
    meaning: 'as to GET, without the body',
    evidence: 'HEAD /pets → 200',
    ...gap,
  };
}

/** A scenario that deviates in one exchange; what is wrong with the status says which the answer has. */
export function makeDeviating(id: string, findings: Finding[], exchange: Partial<ExchangeResult> = {}): ScenarioResult {
  const found = makeExchange({ ...exchange, findings });
  const said = findings.find(({ check, at }) => check === 'status' && at === 'status')?.actual;
  if (said !== undefined && found.response !== undefined) found.response = { ...found.response, status: Number(said) };
  return makeScenario(id, 'deviated', { steps: [{ id: 'list', exchanges: [found] }] });
}

const VERDICTS: Verdict[] = ['passed', 'deviated', 'known', 'observed', 'inconclusive', 'skipped'];

export function makeResult(scenarios: ScenarioResult[], more: Partial<RunResult> = {}): RunResult {
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, scenarios.filter((each) => each.verdict === verdict).length]),
  ) as Record<Verdict, number>;
  const problems = findProblems({ scenarios });
  return {
    version: 2,
    target: 'http://127.0.0.1:4010/v1',
    contract: { title: 'Petstore', version: '1.0.0', file: 'spec/petstore.openapi.yaml' },
    startedAt: '2030-01-02T03:04:05.000Z',
    durationMs: 1234,
    interrupted: false,
    coverage: { total: 36, covered: 36, missing: [] },
    targetLost: false,
    outOfTime: false,
    problems,
    summary: { ...counts, problems: countProblems(problems), requests: 12, created: 3 },
    scenarios,
    gaps: [],
    notes: [],
    ...more,
  };
}
