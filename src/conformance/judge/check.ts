import type { Contract } from '../../contract/contract.js';
import { placeIn, type ContractPlace, type Violation } from '../../contract/schemas/violation.js';
import type { Answered, AnswerBody, WireAnswer } from '../model/wire.js';
import type { Finding, GapChoice } from '../model/result.js';
import type { Expectation } from '../model/scenario.js';
import type { Doubt } from '../model/doubt.js';
import type { GuessedKey, Invented } from '../model/record-rules.js';
import type { SentRequest } from '../model/sent-request.js';
import type { RecordLedger } from '../ledger/record-ledger.js';

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
  /** The same as in the file, which tells stated values from those that come from an earlier answer. */
  stated: Expectation;
  /** What the record that was sent has of the run's own. */
  invented?: Invented | undefined;
  /** The keys that are none for certain. */
  guessed?: readonly GuessedKey[];
  /** Whether several answers are correct, so that no status is expected. */
  open: boolean;
  ledger: RecordLedger;
  /** Texts that no answer may contain. */
  secrets: readonly string[];
  /** Whether fields beyond the contract are deviations. */
  strict: boolean;
}

/** An outcome of a check. A check without anything to examine says what it would need. */
export type CheckOutcome = CheckFinding | Need;

/** What a scenario needs in order to conclude something: a noun phrase, or a sentence without a full stop. */
export interface Need {
  needs: string;
}

export interface CheckFinding {
  rule: string;
  at: string;
  expected: string;
  actual: string;
  /** {@link Finding.wanted}. */
  wanted?: readonly string[];
  /** {@link Finding.value}. */
  value?: string;
  /** {@link Finding.isOfAnswers}. */
  isOfAnswers?: true;
  /** How many similar findings it stands for besides itself. Default: none. */
  more?: number;
  /** Default: `deviation`. */
  severity?: Finding['severity'];
  /** JSON Pointer into the contract. */
  contractPointer?: string | undefined;
  /** The place itself, if it is already known. */
  contract?: ContractPlace;
  /** Whether waiting may resolve it, since writes may become visible later. Default: no. */
  settles?: boolean;
  /** Whether it is about what the run has not changed, so that only others' changes could explain it with time. Default: no. */
  isUntouched?: boolean;
  /** The choice of a gap that it shows, if the contract allows it. */
  gap?: GapChoice;
  /** The key of the record that it is about. */
  key?: unknown;
  /** The resource of that record, where another one's scenario may show it. */
  resource?: string;
  /** Whether the answer does not show a field. */
  isHidden?: boolean;
  /** A possible explanation other than a defect, which further requests must settle. */
  doubt?: Doubt | undefined;
}

/** One rule applied to an exchange. Pure: the same context gives the same outcomes. */
export interface Check {
  id: string;
  /** What is true if it finds nothing, as a sentence without a full stop. */
  title: string;
  /** Whether it compares several answers, so that a single request cannot reproduce its findings. Default: no. */
  comparesAnswers?: true;
  /** The rules of such a check that one answer breaks by itself. */
  showsAlone?: readonly string[];
  /** Whether it runs only if a scenario requests it by a keyword. Default: it examines every answer. */
  onRequest?: true;
  run(context: CheckContext): CheckOutcome[];
}

/** The answer, if there is one. */
export function answered({ answer }: CheckContext): Answered | undefined {
  return answer.kind === 'answered' ? answer : undefined;
}

/** The JSON body of a successful answer. */
export function successBody(context: CheckContext): unknown {
  const answer = answered(context);
  if (answer === undefined || answer.status < 200 || answer.status > 299) return undefined;
  return context.body.kind === 'json' ? context.body.value : undefined;
}

/** A violation of the contract as a finding. */
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

/**
 * A finding with its place in the contract. One that names none is at `around`: what the contract says of the answer.
 */
export function placeFinding(
  check: string,
  finding: CheckFinding,
  { contract, around }: { contract: Contract; around: string | undefined },
): Finding {
  const {
    contractPointer = finding.contract === undefined ? around : undefined,
    severity,
    settles: _settles,
    doubt: _doubt,
    key: _key,
    isHidden: _isHidden,
    isUntouched: _isUntouched,
    ...rest
  } = finding;
  if (contractPointer === undefined) return { check, severity: severity ?? 'deviation', ...rest };
  const place = placeIn(contract.document, contractPointer);
  return { check, severity: severity ?? 'deviation', ...rest, contract: place };
}
