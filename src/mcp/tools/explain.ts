import { refuse } from '../session.js';
import { cutText } from '../../contract/document/json.js';
import type { RunResult } from '../../conformance/model/result.js';
import { formatProof } from '../../report/curl.js';
import { groupProblems, listDoubts, type ShownProblem } from '../../report/report-format.js';
import { describeRule, formatAgain, summarizeAnswer, summarizeRequest } from '../../report/summarize.js';
import { suggest } from '../../suggest.js';
import { FROM_TARGET, only, quoteTarget, textOf, type McpTool, type ToolAnswer } from '../tool.js';

const BODY = 1200;
const VALUE = 300;
const COMMAND = 1000;

/** The evidence of one problem. */
export const explainTool: McpTool = {
  name: 'explain',
  title: 'Explain a problem',
  description:
    'The evidence of a problem of a run: request and response, the lines of the contract, and the call that reproduces it. scenario: why it concluded what it did.',
  properties: {
    problem: { type: ['string', 'integer'], description: 'its number or id; default 1' },
    scenario: { type: 'string' },
    run: { type: 'string', description: 'default: the latest' },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: async (given, { desk }) => {
    const { name, result } = desk.runs.find(textOf(given, 'run'));
    if (given['scenario'] !== undefined) return tellScenario(textOf(given, 'scenario') ?? '', result);
    return tellProblem(findProblem(given['problem'] ?? 1, result), result, name);
  },
};

function findProblem(wanted: unknown, result: RunResult): ShownProblem {
  const problems = groupProblems(result);
  const found = problems[Number(wanted) - 1] ?? problems.find(({ problem }) => problem.id === wanted);
  if (found !== undefined) return found;
  const there = problems.length === 0 ? 'the run found none' : `there are 1 to ${problems.length}`;
  throw refuse(`there is no problem ${String(wanted)}; ${there}.`);
}

function tellProblem(shown: ShownProblem, result: RunResult, run: string): ToolAnswer {
  const { problem, exchange, finding, scenario, moreScenarios, morePlaces } = shown;
  const { request, response } = exchange;
  const { excerpt } = problem.contract ?? {};
  const doubts = listDoubts(shown).map(([name, text]) => `${name}: ${text}`);
  const call = cutText(formatProof(result, exchange, finding), COMMAND);
  const again = formatAgain(shown, result);
  const lines = [
    `${problem.id}: what stands behind | is ${FROM_TARGET}`,
    ...quoteTarget(problem.headline, VALUE),
    `the target is at fault, in ${problem.answers} responses of ${problem.operations.slice(0, 5).join(', ') || 'paths that the contract does not have'}`,
    `sent ${cutText(summarizeRequest(exchange), VALUE)}${request.body === undefined ? '' : `  ${cutText(request.body, VALUE)}`}`,
    'answered',
    ...quoteTarget(summarizeAnswer(exchange), VALUE),
    ...(response === undefined || response.body === '' ? [] : quoteTarget(response.body, BODY)),
    `at ${finding.at}${morePlaces === 0 ? '' : ` and ${morePlaces} more places`}`,
    `expected ${cutText(problem.expected, VALUE)}`,
    'found',
    ...quoteTarget(problem.actual, VALUE),
    `contract ${cutText(describeRule(shown), VALUE)}`,
    ...(excerpt === undefined
      ? []
      : cutText(excerpt, VALUE)
          .split(/\n|\\u000a/)
          .map((line) => `  ${line.trimEnd()}`)),
    ...doubts.flatMap((doubt) => quoteTarget(doubt, VALUE)),
    `shown by ${scenario.id}${moreScenarios.length === 0 ? '' : ` and ${moreScenarios.length} more scenarios`}`,
    `again    ${again}`,
    `         ${call}`,
  ];
  return { text: lines.join('\n'), data: factsOf(shown, { run, again, call }) };
}

function factsOf(shown: ShownProblem, told: { run: string; again: string; call: string }): Record<string, unknown> {
  const { problem, exchange, finding, scenario, moreScenarios } = shown;
  const { request, response, failure } = exchange;
  const body = response?.body ?? '';
  return only({
    run: told.run,
    id: problem.id,
    atFault: 'target',
    operations: problem.operations.slice(0, 5),
    request: only({
      method: request.method,
      path: cutText(request.path, VALUE),
      body: cutText(request.body ?? '', VALUE),
    }),
    fromTarget: only({
      headline: cutText(problem.headline, VALUE),
      found: cutText(problem.actual, VALUE),
      doubts: listDoubts(shown).map(([name, text]) => `${name}: ${text}`),
      status: response?.status,
      body: cutText(body, BODY),
      cutFrom: body.length <= BODY ? undefined : body.length,
      failure,
    }),
    at: finding.at,
    expected: cutText(problem.expected, VALUE),
    contract: cutText(describeRule(shown), VALUE),
    excerpt: cutText(problem.contract?.excerpt ?? '', VALUE),
    scenario: scenario.id,
    scenariosLeftOut: moreScenarios.length,
    again: told.again,
    call: told.call,
  });
}

const MOST_STEPS = 12;

function tellScenario(id: string, { scenarios }: RunResult): ToolAnswer {
  const found = scenarios.find((each) => each.id === id);
  if (found === undefined) {
    const ids = scenarios.map((each) => each.id);
    throw refuse(`the run has no scenario ${id}${suggest(id, ids)}`);
  }
  const steps = found.steps.flatMap(({ id: step, exchanges }) =>
    exchanges.map((exchange) => `${step}: ${cutText(summarizeRequest(exchange), 120)} → ${summarizeAnswer(exchange)}`),
  );
  const lines = [
    `${found.id}: ${found.verdict}. ${cutText(found.title, VALUE)}`,
    ...(found.reason === undefined ? [] : ['because', ...quoteTarget(found.reason, VALUE)]),
    `rule: ${cutText(found.basis.text, VALUE)}`,
    ...steps.slice(0, MOST_STEPS).map((step) => `  ${step}`),
    ...(steps.length <= MOST_STEPS ? [] : [`  and ${steps.length - MOST_STEPS} more requests`]),
  ];
  return {
    text: lines.join('\n'),
    data: only({
      scenario: found.id,
      verdict: found.verdict,
      fromTarget: found.reason === undefined ? undefined : { reason: found.reason },
      basis: found.basis.text,
      steps: steps.slice(0, MOST_STEPS),
      stepsLeftOut: Math.max(steps.length - MOST_STEPS, 0),
    }),
  };
}
