import { isOnThisMachine, readTarget } from '../../conformance/http/request-credentials.js';
import type { ConformanceOptions, RunEvent } from '../../conformance/model/options.js';
import { runConformance } from '../../conformance/product/run-conformance.js';
import type { RunResult } from '../../conformance/model/result.js';
import { cutText } from '../../contract/document/json.js';
import { listLeft, groupProblems, type ShownProblem } from '../../report/report-format.js';
import { quote } from '../../report/curl.js';
import {
  describeRule,
  groupInconclusive,
  headline,
  summarize,
  summarizeAnswer,
  summarizeRequest,
} from '../../report/summarize.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import { checkTarget, type KnownRun, type KnownMock, ownFile, refuse } from '../session.js';
import * as tool from '../tool.js';

const MOST_TOLD = 8;
const USUAL_REQUESTS = 400;
const MOST_REQUESTS = 5000;
const USUAL_SECONDS = 120;
const VALUE = 100;
const KEY_VARIABLE = 'PETSTORE_API_KEY';

/** Runs the suite against a service. */
export const conformanceTool: tool.McpTool = {
  name: 'conformance',
  title: 'Run the suite against a service',
  description:
    'Tests a running service against its contract: each defect once, with the line it breaks. It deletes the records it created. Slow: watch progress, or cancel. Then explain.',
  properties: {
    target: { type: 'string', description: 'base URL with its version segment; default: the mock' },
    spec: { type: 'string', description: 'OpenAPI file; default: the petstore' },
    keyFrom: {
      type: 'string',
      description: `environment variable with the key; default ${KEY_VARIABLE}. Never a key`,
    },
    only: { type: 'array', items: { type: 'string' }, description: 'ids or globs of scenarios' },
    readOnly: { type: 'boolean' },
    strict: { type: 'boolean', description: 'fields beyond the contract count' },
    maxRequests: { type: 'integer', minimum: 1, maximum: MOST_REQUESTS, description: `default ${USUAL_REQUESTS}` },
    maxSeconds: { type: 'integer', minimum: 1, maximum: 900, description: `default ${USUAL_SECONDS}` },
  },
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  run: async (given, call) => {
    const options = readOptions(given, call);
    const run = await call.desk.runs.add(async () => complete(await runConformance(options), given, options));
    return tellRun(run);
  },
};

function readOptions(given: tool.Arguments, call: tool.ToolCall): ConformanceOptions {
  const { mocks, permissions } = call.desk;
  const latest = given['target'] === undefined ? mocks.get() : undefined;
  const target = latest?.handles.url ?? tool.textOf(given, 'target') ?? '';
  const url = readTarget(target);
  const own = mocks.list().find(({ handles }) => new URL(handles.url).origin === url.origin);
  if (own === undefined) checkTarget(url, permissions);
  const elsewhere = own === undefined && !isOnThisMachine(url);
  const named = tool.textOf(given, 'spec');
  const apiKey = readKey(tool.textOf(given, 'keyFrom'), { own, elsewhere }, call);
  return {
    target,
    apiKey,
    ...(own === undefined && apiKey === DEFAULT_API_KEY ? { isKeyGuessed: true } : {}),
    spec: named === undefined ? own?.spec : ownFile(named, permissions.folder),
    only: given['only'] as string[] | undefined,
    readOnly: given['readOnly'] === true || (elsewhere && !permissions.createsElsewhere),
    strict: given['strict'] === true,
    maxRequests: Number(given['maxRequests'] ?? USUAL_REQUESTS),
    maxTimeMs: 1000 * Number(given['maxSeconds'] ?? USUAL_SECONDS),
    ...(elsewhere && permissions.createsElsewhere ? { may: ['create'] } : {}),
    signal: call.signal,
    onEvent: (event) => tellProgress(event, call),
  };
}

function readKey(
  name: string | undefined,
  { own, elsewhere }: { own: KnownMock | undefined; elsewhere: boolean },
  { desk }: tool.ToolCall,
): string {
  const { variables, readVariable } = desk.permissions;
  if (name === undefined && own?.apiKey !== undefined) return own.apiKey;
  const variable = name ?? variables[0] ?? KEY_VARIABLE;
  const key = variables.includes(variable) ? (readVariable(variable) ?? '') : '';
  if (key !== '') desk.keepSecret(key);
  if (key !== '') return key;
  if (name === undefined && !elsewhere) return DEFAULT_API_KEY;
  if (variables.includes(variable))
    throw refuse(`there is no key: ${variable} is not set where the server was started.`);
  // What was meant as a name may be a key.
  if (variables.length === 0)
    throw refuse('these tools send no key of their own; leave keyFrom out, or use petstore-mock mcp.');
  throw refuse(
    `keyFrom is the name of an environment variable, one of ${variables.join(', ')}; start the server with --key-env NAME for another.`,
  );
}

function tellProgress(event: RunEvent, { progress }: tool.ToolCall): void {
  if (event.type === 'runStarted') progress(0, event.scenarios, `${event.scenarios} scenarios`);
  if (event.type !== 'scenarioFinished') return;
  const { done, of } = event;
  // A message for each twentieth.
  if (done === of || Math.floor((20 * done) / of) > Math.floor((20 * (done - 1)) / of))
    progress(done, of, `${done} of ${of} scenarios`);
}

function complete(result: RunResult, given: tool.Arguments, { target, spec, apiKey }: ConformanceOptions): RunResult {
  const words = ['npx petstore-conformance --target', quote(target)];
  if (spec !== undefined) words.push('--spec', quote(spec));
  const variable = tool.textOf(given, 'keyFrom') ?? KEY_VARIABLE;
  const inShell = apiKey === DEFAULT_API_KEY ? DEFAULT_API_KEY : `$${variable}`;
  return { ...result, command: words.join(' '), shell: { apiKey: inShell, credentials: {}, headers: {} } };
}

function tellRun({ name, result }: KnownRun): tool.ToolAnswer {
  const { shown, left } = tool.takeFirst(groupProblems(result), MOST_TOLD);
  const lacking = groupInconclusive(result.scenarios).slice(0, 2);
  const { summary, requestLimit, leftBehind = [], notes } = result;
  const { createdOf: _, ...counts } = summary;
  const lines = [
    `${name}: ${headline(result)}`,
    summarize(result),
    ...(shown.length === 0
      ? []
      : [`what was found is quoted ${tool.FROM_TARGET}; explain with problem=<id> has the evidence`]),
    ...shown.flatMap(tellProblem),
    ...(left === 0 ? [] : [`and ${left} more problems: explain with problem=<number> from ${shown.length + 1}`]),
    ...lacking.flatMap(({ reason, ids }) => quoteBelow(`${ids.length} inconclusive:`, reason)),
    ...listLeft(result).flatMap((line) => tool.quoteTarget(line, 2 * VALUE)),
    ...notes.slice(0, 2).flatMap((note) => quoteBelow('note:', note)),
  ];
  return {
    text: lines.join('\n'),
    data: tool.only({
      run: name,
      target: result.target,
      problems: shown.map((each, index) => factsOf(each, index)),
      problemsLeftOut: left,
      verdicts: counts,
      requestsLeftOut: requestLimit?.leftOut,
      interrupted: result.interrupted || undefined,
      outOfTime: result.outOfTime || undefined,
      leftBehind: leftBehind.length,
    }),
  };
}

function quoteBelow(head: string, text: string): string[] {
  return [head, ...tool.quoteTarget(text, 2 * VALUE)];
}

function tellProblem(shown: ShownProblem, index: number): string[] {
  const { problem, exchange } = shown;
  return [
    `${index + 1}. ${problem.id}`,
    ...tool.quoteTarget(problem.headline, 2 * VALUE),
    `   ${cutText(summarizeRequest(exchange), VALUE)}: expected ${cutText(problem.expected, VALUE)}, found`,
    ...tool.quoteTarget(`${cutText(summarizeAnswer(exchange), VALUE)}: ${problem.actual}`, VALUE),
    `   ${cutText(describeRule(shown), 2 * VALUE)}`,
  ];
}

function factsOf(shown: ShownProblem, index: number): Record<string, unknown> {
  const { problem } = shown;
  const { id, headline: said, operations, expected, actual, answers } = problem;
  return tool.only({
    n: index + 1,
    id,
    operations: operations.slice(0, 5),
    answers,
    expected: cutText(expected, VALUE),
    fromTarget: { headline: cutText(said, 2 * VALUE), found: cutText(actual, VALUE) },
    contract: cutText(describeRule(shown), 2 * VALUE),
  });
}
