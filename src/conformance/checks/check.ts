import type { Contract } from '../../contract/contract.js';
import type { Operation } from '../../contract/model.js';
import type { ParameterValues } from '../../contract/parameters.js';
import { placeIn, type ContractPlace, type Violation } from '../../contract/schemas/violation.js';
import type { Answered, WireAnswer } from '../http/wire.js';
import type { Finding, GapChoice } from '../result.js';
import type { Expectation } from '../scenarios/scenario.js';
import type { Doubt } from './doubt.js';
import type { TargetMemory } from './target-memory.js';

/** A body, read as JSON. */
export type AnswerBody = { kind: 'none' } | { kind: 'json'; value: unknown } | { kind: 'unreadable'; problem: string };

/** A request as it was meant. */
export interface SentRequest {
  method: string;
  /** Path and query below the base URL, with the template's name for an id that is valid. */
  shownAs: string;
  /** `undefined` when the contract has no such path or method. */
  operation: Operation | undefined;
  /** Whether valid credentials were sent in the contract's form. */
  authorized: boolean;
  /** Query values as the contract types them; empty where the query was meant to be odd. */
  query: ParameterValues;
  /** Path values as the contract types them. */
  path: ParameterValues;
  /** Whether the parameters keep the contract. */
  validParameters: boolean;
  /** What the request breaks, on purpose. */
  violations: readonly Violation[];
  /** In bytes. */
  bodyLength: number;
  /** The body, when it was sent as JSON. */
  json: unknown;
}

/** Everything a check may look at. */
export interface CheckContext {
  contract: Contract;
  sent: SentRequest;
  /** When the request went out, on the clock of `performance.now()`. */
  sentAt: number;
  answer: WireAnswer;
  body: AnswerBody;
  /** With every reference filled in. */
  expect: Expectation;
  /** The same as the file has it, so that what it states itself is told from what it takes from an earlier answer. */
  stated: Expectation;
  /** Whether several answers are right, so that no status is expected. */
  open: boolean;
  memory: Readonly<TargetMemory>;
  /** Texts that no answer may hold. */
  secrets: readonly string[];
  /** Whether fields beyond the contract are deviations. */
  strict: boolean;
}

/** What a check says. A check that had nothing to look at says what it would need. */
export type CheckOutcome = CheckFinding | Need;

/** What would let a scenario conclude something: a noun phrase, or a sentence without a full stop. */
export interface Need {
  needs: string;
  /** Set where more pets would do: any, or so many as there are not. */
  lacks?: 'pets' | LackingPets | undefined;
}

/** Pets, of a status or of any, of which there are fewer than are needed. */
export interface LackingPets {
  status: unknown;
  count: number;
  there: number;
}

export interface CheckFinding {
  rule: string;
  at: string;
  expected: string;
  actual: string;
  /** How many more of its kind it stands for. Default: none. */
  more?: number;
  /** Default: `deviation`. */
  severity?: Finding['severity'];
  /** JSON Pointer into the contract. */
  contractPointer?: string;
  /** The place itself, where it is known already. */
  contract?: ContractPlace;
  /** Whether waiting may mend it: another client sees a write later. Default: no. */
  settles?: boolean;
  /** The choice of a gap that it shows, where the contract does not forbid it. */
  gap?: GapChoice;
  /** What may be the reason beside a defect, which further requests are to tell. */
  doubt?: Doubt | undefined;
}

/** One rule applied to an exchange. Pure: the same context gives the same outcomes. */
export interface Check {
  id: string;
  /** What holds when it finds nothing, as a sentence without a full stop. */
  title: string;
  /** Whether it compares answers, so that one request alone does not show what it finds. Default: no. */
  comparesAnswers?: true;
  /** Whether it looks only where a scenario asks for it, by a keyword. Default: it looks at every answer. */
  onRequest?: true;
  run(context: CheckContext): CheckOutcome[];
}

/** The answer, when one came. */
export function answered({ answer }: CheckContext): Answered | undefined {
  return answer.kind === 'answered' ? answer : undefined;
}

/** The body of an answer that is a success, when it is JSON. */
export function successBody(context: CheckContext): unknown {
  const answer = answered(context);
  if (answer === undefined || answer.status < 200 || answer.status > 299) return undefined;
  return context.body.kind === 'json' ? context.body.value : undefined;
}

/** A violation of the contract as what a check found. */
export function fromViolation(violation: Violation): CheckFinding {
  return {
    rule: violation.rule,
    at: violation.at,
    expected: violation.expected,
    actual: violation.actual,
    contract: violation.contract,
    ...(violation.more === undefined ? {} : { more: violation.more }),
  };
}

/** A finding with its place in the contract. */
export function placeFinding(check: string, finding: CheckFinding, contract: Contract): Finding {
  const { contractPointer, severity, settles: _settles, doubt: _doubt, ...rest } = finding;
  if (contractPointer === undefined) return { check, severity: severity ?? 'deviation', ...rest };
  const place = placeIn(contract.document, contractPointer);
  return { check, severity: severity ?? 'deviation', ...rest, contract: place };
}
