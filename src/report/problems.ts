import { spellValue } from '../conformance/checks/show.js';
import type {
  Problem,
  ExchangeResult,
  Finding,
  RunResult,
  ScenarioResult,
  LeftBehind,
} from '../conformance/model/result.js';
import { isAbsolute, posix } from 'node:path';

/** One problem of the target, with its example. */
export interface ShownProblem {
  problem: Problem;
  scenario: ScenarioResult;
  exchange: ExchangeResult;
  finding: Finding;
  /** Further places in the same answer. */
  morePlaces: number;
  /** Further scenarios that show it. */
  moreScenarios: string[];
}

/** The problems that fail a run, each with its evidence. */
export function groupProblems(result: RunResult): ShownProblem[] {
  return withExamples(result, ({ baseline }) => baseline?.state !== 'known');
}

/** {@link groupProblems} for the known problems. */
export function groupKnownProblems(result: RunResult): ShownProblem[] {
  return withExamples(result, ({ baseline }) => baseline?.state === 'known');
}

function withExamples({ problems, scenarios }: RunResult, isWanted: (problem: Problem) => boolean): ShownProblem[] {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  return problems.filter(isWanted).flatMap((problem) => {
    const { shown } = problem;
    const scenario = byId.get(shown.scenario);
    const exchange = scenario?.steps.find(({ id }) => id === shown.step)?.exchanges[shown.exchange];
    const finding = exchange?.findings[shown.finding];
    if (scenario === undefined || exchange === undefined || finding === undefined) return [];
    const moreScenarios = problem.scenarios.filter((id) => id !== scenario.id);
    const morePlaces = countAlike(exchange, finding);
    return [{ problem, scenario, exchange, finding: showValues(finding), morePlaces, moreScenarios }];
  });
}

/** With values in which a reader sees every character. */
function showValues(finding: Finding): Finding {
  const { expected, value, actual } = finding;
  return {
    ...finding,
    expected: spellValue(expected),
    ...(value === undefined ? {} : { value: spellValue(value) }),
    actual: spellValue(actual),
  };
}

/** Further failures that this problem stands for, a line each: ``filter `status` of listPets (23 responses)``. */
export function listAlso({ also = [] }: Problem): string[] {
  return also.map(({ what, answers }) => `${what} (${answers} ${answers === 1 ? 'response' : 'responses'})`);
}

/** What a problem kept from being judged, and what else it stands for: a name and a sentence for each. */
export function listDoubts({ problem }: ShownProblem): [string, string][] {
  const doubts: [string, string | undefined][] = [
    ['hides', problem.hides],
    ...listAlso(problem).map((text): [string, string] => ['also', text]),
  ];
  return doubts.flatMap(([name, text]): [string, string][] => (text === undefined ? [] : [[name, text]]));
}

/** How many further findings of the same answer are of the same kind. */
function countAlike({ findings }: ExchangeResult, shown: Finding): number {
  const alike = findings.filter(
    ({ severity, check, rule, at }) =>
      severity === shown.severity && check === shown.check && rule === shown.rule && star(at) === star(shown.at),
  );
  return alike.reduce((sum, { more = 0 }) => sum + 1 + more, -1);
}

/** A place, whichever item of a list it is in. */
export function star(at: string): string {
  return at.replace(/\/\d+(?=\/|$)/g, '/*');
}

/**
 * A file as the repository names it, which is how GitHub looks it up; programs name it from the folder that they run in.
 * A path that is absolute, or a URL, stays as it is.
 */
export function nameInRepository(file: string, folder = ''): string {
  if (isAbsolute(file) || /^https?:/i.test(file)) return file;
  return posix.join(folder, file.replaceAll('\\', '/'));
}

/** The path of a file within `node_modules`; `undefined` for one that does not belong to an installed package. */
export function nameInstalled(file: string): string | undefined {
  return /(?:^|[\\/])(node_modules[\\/].*)$/.exec(file)?.[1]?.replaceAll('\\', '/');
}

/** So many keys are named; the JSON report has more. */
const MOST_KEYS = 5;

/** What of the run's own is still there, why, and how to find it: a line for each kind. */
export function listLeft({ leftBehind = [], target }: Pick<RunResult, 'leftBehind'> & { target?: string }): string[] {
  return leftBehind.map(
    (left) => `leftover: ${countLeft(left)}, ${[left.why, ...describeFinding(left, target)].join(': ')}`,
  );
}

function countLeft({ count, one, many }: LeftBehind): string {
  return count === 1 ? `1 created ${one}` : `${count} created ${many}`;
}

/** Where they are; what their texts contain, as far as some have no address. */
function describeFinding(left: LeftBehind, target = ''): string[] {
  const { keys, mark, count } = left;
  const byAddress = describeAddresses(left, target);
  const byText = mark === undefined || count <= keys.length ? [] : [`generated texts contain ${mark}`];
  const all = [...(byAddress.length > 0 ? byAddress : describeKeys(left)), ...byText];
  return all.length === 0 ? [] : [all.join('; ')];
}

function describeAddresses({ addresses = [], removable, count }: LeftBehind, target: string): string[] {
  const [first, ...others] = addresses.slice(0, MOST_KEYS);
  if (first === undefined) return [];
  const base = target.replace(/\/+$/, '');
  const rest = count - Math.min(addresses.length, MOST_KEYS);
  const above = URL.canParse(base) ? new URL(base).pathname.replace(/\/+$/, '') : '';
  const named = [`${base}${first}`, ...others.map((path) => `${above}${path}`)].join(', ');
  return [`${removable === true ? 'DELETE' : 'at'} ${named}${rest > 0 ? ` and ${rest} more` : ''}`];
}

function describeKeys({ keys, count }: LeftBehind): string[] {
  const rest = count - Math.min(keys.length, MOST_KEYS);
  const named = keys.slice(0, MOST_KEYS).join(', ');
  if (keys.length === 0) return [];
  return [`${keys.length === 1 ? 'its key is' : 'keys'} ${named}${rest > 0 ? ` and ${rest} more` : ''}`];
}
