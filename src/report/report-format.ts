import { isAbsolute, posix } from 'node:path';
import { spellValue } from '../conformance/checks/check.js';
import type {
  Problem,
  ExchangeResult,
  Finding,
  RunResult,
  ScenarioResult,
  LeftBehind,
} from '../conformance/model/result.js';

/** Writes a result in one format. */
export interface ReportFormat {
  /** As `--report` names it. */
  name: string;
  /** The name of the file in `--report-dir`; `undefined` for a format that is only read on a terminal. */
  file: string | undefined;
  write(result: RunResult, options: ReportOptions): string;
}

export interface ReportOptions {
  /** Whether colours are wanted. */
  color: boolean;
  /** Only the problems and the summary. */
  quiet: boolean;
  /** All results of the run, in full. Default: `false`. */
  verbose?: boolean;
  /** What the target does where the contract is silent, not only how often. Default: `false`. */
  gaps?: boolean;
  /** Whether another report in the same log tells the problems to whoever reads it. Default: `false`. */
  isToldBeside?: boolean;
  /** What fails the run although there is no problem: `--min-coverage`. */
  failedBy?: string | undefined;
  /** The folder from which files are named, as the repository names it: `services/pets`. Default: its root. */
  folder?: string | undefined;
}

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
    const found = exchange?.findings[shown.finding];
    if (scenario === undefined || exchange === undefined || found === undefined) return [];
    const { expected, value, actual } = found;
    // With values in which a reader sees every character.
    const finding = {
      ...found,
      expected: spellValue(expected),
      ...(value === undefined ? {} : { value: spellValue(value) }),
      actual: spellValue(actual),
    };
    const moreScenarios = problem.scenarios.filter((id) => id !== scenario.id);
    const { findings } = exchange;
    const alike = findings.filter(
      ({ severity, check, rule, at }) =>
        severity === found.severity && check === found.check && rule === found.rule && star(at) === star(found.at),
    );
    return [
      {
        problem,
        scenario,
        exchange,
        finding,
        morePlaces: alike.reduce((sum, { more = 0 }) => sum + 1 + more, -1),
        moreScenarios,
      },
    ];
  });
}

/** A place, whichever item of a list it is in. */
export function star(at: string): string {
  return at.replace(/\/\d+(?=\/|$)/g, '/*');
}

/** `1 problem`, `3 problems`, `2 scenarios are`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Further failures that this problem stands for, a line each: ``filter `status` of listPets (23 responses)``. */
export function listAlso({ also = [] }: Problem): string[] {
  return also.map(({ what, answers }) => `${what} (${count(answers, 'response')})`);
}

/** What a problem kept from being judged, and what else it stands for: a name and a sentence for each. */
export function listDoubts({ problem }: ShownProblem): [string, string][] {
  const { hides } = problem;
  const also = listAlso(problem).map((text): [string, string] => ['also', text]);
  return hides === undefined ? also : [['hides', hides], ...also];
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
export function listLeft({
  leftBehind = [],
  target = '',
}: Pick<RunResult, 'leftBehind'> & { target?: string }): string[] {
  return leftBehind.map((left) => {
    const { keys, mark, count: number, one, many, why } = left;
    const word = keys.length === 1 ? 'its key is' : 'keys';
    const byKey = keys.length === 0 ? undefined : `${word} ${nameSome(keys.slice(0, MOST_KEYS), number)}`;
    // What their texts contain, as far as some have no address.
    const byText = mark === undefined || number <= keys.length ? undefined : `generated texts contain ${mark}`;
    const found = [describeAddresses(left, target) ?? byKey, byText].filter((part) => part !== undefined).join('; ');
    return `leftover: ${number} created ${number === 1 ? one : many}, ${why}${found === '' ? '' : `: ${found}`}`;
  });
}

function describeAddresses({ addresses = [], removable, ...left }: LeftBehind, target: string): string | undefined {
  const [first, ...others] = addresses.slice(0, MOST_KEYS);
  if (first === undefined) return undefined;
  const base = target.replace(/\/+$/, '');
  const above = URL.canParse(base) ? new URL(base).pathname.replace(/\/+$/, '') : '';
  const named = [`${base}${first}`, ...others.map((path) => `${above}${path}`)];
  return `${removable === true ? 'DELETE' : 'at'} ${nameSome(named, left.count)}`;
}

function nameSome(named: readonly string[], of: number): string {
  return `${named.join(', ')}${of > named.length ? ` and ${of - named.length} more` : ''}`;
}
