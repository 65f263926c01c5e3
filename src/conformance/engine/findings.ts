import { groupBy } from '../../contract/document/plain.js';
import type { Contract } from '../../contract/contract.js';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import type { CheckContext, CheckFinding, CheckOutcome } from '../checks/check.js';
import { checks } from '../checks/index.js';
import { fitsStatus } from '../checks/status.js';
import { matchesId } from '../scenarios/select-scenarios.js';
import type { ExpectedHere } from '../model/options.js';
import type { StatusPattern } from '../model/scenario.js';

type Found = readonly { check: string; outcomes: CheckOutcome[] }[];

export type Expectations = ReturnType<typeof readExpectations>;

interface Rule {
  given: ExpectedHere;
  statuses: StatusPattern[];
  off: ReadonlySet<string>;
  formats: ReadonlySet<string>;
  operations: ReadonlySet<string>;
  count: number;
}

const OF_STATUS: ReadonlySet<string> = new Set(['status', 'server-error', 'error-body']);

/** Throws a {@link PetstoreMockError} for an operation, a path or a check that there is not. */
export function readExpectations(given: readonly ExpectedHere[], contract: Contract) {
  const rules = given.map((each, index) => readRule(each, { contract, name: `expect[${index}]` }));
  return {
    apply(found: Found, context: CheckContext): Found {
      const own = rules.filter(({ operations }) => operations.has(context.sent.operation?.id ?? ''));
      return own.reduce((left, rule) => left.map((each) => leaveOut(each, rule, context)), found);
    },
    list: (): string[] =>
      rules.map(({ given: each, count }) => {
        const seen = count === 0 ? 'not met in this run' : `met ${count} ${count === 1 ? 'time' : 'times'}`;
        return `expected at ${[each.operation, each.path].filter((part) => part !== undefined).join(' at ') || 'every operation'}: ${[
          each.status === undefined ? [] : `status ${listOf(each.status).join(' or ')} is fine`,
          each.off === undefined
            ? []
            : `${listOf(each.off).join(' and ')} ${listOf(each.off).length === 1 ? 'is' : 'are'} off`,
          each.formats === undefined ? [] : `the format ${listOf(each.formats).join(' or ')} is only noted`,
        ]
          .flat()
          .join(', ')} (${each.reason.replace(/\.$/, '')}); ${seen}`;
      }),
  };
}

function readRule(given: ExpectedHere, { contract, name }: { contract: Contract; name: string }): Rule {
  const ids = checks.map(({ id }) => id);
  const off = listOf(given.off).map(String);
  const unknown = off.find((id) => !ids.includes(id));
  const where = `${name}.off names the check ${unknown}, which does not exist`;
  if (unknown !== undefined) throw bad(`${where}${suggest(unknown, ids)} The checks are ${ids.join(', ')}.`);
  const operations = contract.operations.filter(({ id: own, method, path }) => {
    const isOperation = given.operation === undefined || [own, `${method} ${path}`].includes(given.operation);
    return isOperation && (given.path === undefined || matchesId(path, given.path));
  });
  const meant = given.operation ?? given.path ?? '';
  if (operations.length === 0) {
    const known = contract.operations.flatMap(({ id, method, path }) => [id, `${method} ${path}`, path]);
    throw bad(`${name} names ${meant}, which is not an operation of the contract${suggest(meant, known)}`);
  }
  return {
    given,
    statuses: listOf(given.status).map((each) => (/^\d+$/.test(String(each)) ? Number(each) : String(each))),
    off: new Set(off),
    formats: new Set(listOf(given.formats).map(String)),
    operations: new Set(operations.map(({ id }) => id)),
    count: 0,
  };
}

function listOf<T>(value: T | readonly T[] | undefined): T[] {
  return value === undefined ? [] : ([value].flat() as T[]);
}

function leaveOut(found: Found[number], rule: Rule, { answer, contract }: CheckContext): Found[number] {
  const isFine = answer.kind === 'answered' && rule.statuses.some((status) => fitsStatus(answer.status, status));
  const isOff = rule.off.has(found.check) || (isFine && OF_STATUS.has(found.check));
  const outcomes = found.outcomes.flatMap((outcome): CheckOutcome[] => {
    if ('needs' in outcome) return isOff ? [] : [outcome];
    if (isOff) {
      rule.count += 1;
      return [];
    }
    if (rule.formats.size === 0 || outcome.rule !== 'format') return [outcome];
    const stated: unknown = contract.document.at(outcome.contract?.pointer ?? outcome.contractPointer ?? '');
    if (!rule.formats.has(typeof stated === 'string' ? stated : outcome.expected)) return [outcome];
    rule.count += 1;
    return [{ ...outcome, severity: 'information' }];
  });
  return { check: found.check, outcomes };
}

function bad(message: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', message);
}

const MEMBERS = ['operation', 'path', 'status', 'off', 'formats', 'reason'];

/** What is wrong with a list of expectations, after its name; `undefined` if nothing is. */
export function findExpectProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list';
  const problems = value.map(findRuleProblem);
  const at = problems.findIndex((problem) => problem !== undefined);
  return at === -1 ? undefined : `[${at}] ${problems[at]}`;
}

function findRuleProblem(rule: unknown): string | undefined {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return 'must be an object';
  const unknown = Object.keys(rule).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    return `has ${unknown}, which it cannot have${suggest(unknown, MEMBERS)} It may have ${MEMBERS.join(', ')}`;
  const { reason, status, off, formats, operation, path } = rule as Readonly<Record<string, unknown>>;
  if (typeof reason !== 'string' || reason.trim() === '') return 'lacks a reason, which every report shows';
  if (status === undefined && off === undefined && formats === undefined) return 'has none of status, off and formats';
  const isStatus = (each: unknown): boolean => /^(?:[1-5]\d\d|[1-5]XX)$/i.test(String(each));
  if (!listOf(status).every(isStatus)) return 'has status, which must be one such as 409 or 5XX, or a list of them';
  const isText = (each: unknown): boolean => typeof each === 'string' && each !== '';
  if (![off, formats, operation, path].flatMap((each) => listOf(each)).every(isText))
    return 'has operation, path, off or formats, which must be texts';
  return undefined;
}

export type KeptFinding = { check: string; finding: CheckFinding; more: number };

const MOST_ALIKE = 3;
const MOST_IN_ANSWER = 40;
const MOST_IN_RUN = 4000;

const MOST_SHOWN = 16 * 1024;
const MOST_IN_ALL = 16 * 1024 * 1024;
const SHOWN_LATER = 1024;

export type EvidenceKeeper = ReturnType<typeof createEvidenceKeeper>;

/** Keeps a target's answers from filling memory and reports. */
export function createEvidenceKeeper() {
  const texts = new Map<string, string>();
  let [shown, kept, leftOut] = [0, 0, 0];
  return {
    limit(found: Found): KeptFinding[] {
      const isFull = kept >= MOST_IN_RUN;
      const all = keepSome(found, isFull ? 1 : MOST_ALIKE);
      const limited = all.slice(0, isFull ? 1 : MOST_IN_ANSWER);
      kept += limited.length;
      leftOut += all.length - limited.length;
      return limited;
    },
    leftOut: (): number => leftOut,
    mostShown: (): number => (shown < MOST_IN_ALL ? MOST_SHOWN : SHOWN_LATER),
    keep(text: string): string {
      const same = texts.get(text);
      if (same !== undefined) return same;
      shown += text.length;
      texts.set(text, text);
      return text;
    },
  };
}

function keepSome(found: Found, most: number): KeptFinding[] {
  const keyOf = ({ severity, rule, at }: CheckFinding): string =>
    `${severity ?? ''} ${rule} ${at.replace(/\d+/g, '*')}`;
  const itemOf = ({ at }: CheckFinding): string | undefined => /^.*\/\d+(?=\/[^/]+$)/.exec(at)?.[0];
  const kept = found.flatMap(({ check, outcomes }) => {
    const findings = outcomes.filter((outcome): outcome is CheckFinding => !('needs' in outcome));
    const firsts = [...groupBy(findings, keyOf).values()].flatMap((alike) => alike.slice(0, most));
    const items = new Set(firsts.map(itemOf));
    const alike = new Map<string, KeptFinding[]>();
    for (const finding of findings) {
      const { more = 0 } = finding;
      const group = alike.get(keyOf(finding));
      const last = group?.at(-1);
      const item = itemOf(finding);
      if (group === undefined || last === undefined) alike.set(keyOf(finding), [{ check, finding, more }]);
      else if (group.length < most || (item !== undefined && items.has(item))) group.push({ check, finding, more });
      else last.more += 1 + more;
    }
    return [...alike.values()].flat();
  });
  const isDeviation = ({ finding }: KeptFinding): boolean => (finding.severity ?? 'deviation') === 'deviation';
  return [...kept.filter(isDeviation), ...kept.filter((each) => !isDeviation(each))];
}
