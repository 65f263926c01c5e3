import type { Contract } from '../../contract/contract.js';
import { asObject, isObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { limitOf } from '../../contract/gaps/gaps-of-contract.js';
import type { Operation } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import { placeIn, type ContractPlace, type Violation } from '../../contract/schemas/violation.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import type {
  Answered,
  AnswerBody,
  SentRequest,
  WireAnswer,
  WireRequest,
  Doubt,
  GuessedKey,
  Invented,
} from '../model/exchange.js';
import type { Finding } from '../model/result.js';
import type { Expectation, StatusPattern } from '../model/scenario.js';
import type { Subject } from '../resources/resource-under-test.js';
import { cutText, printJson } from '../../contract/document/json.js';

/** One rule applied to an exchange. Pure: the same context gives the same outcomes. */
export interface Check {
  id: string;
  title: string; // What is true if it finds nothing, as a sentence without a full stop.
  comparesAnswers?: true; // Several responses, so that a single request cannot reproduce its findings. Default: no.
  showsAlone?: readonly string[]; // The rules of such a check that one response breaks by itself.
  onRequest?: true; // Whether it runs only if a scenario requests it by a keyword. Default: it examines every response.
  run(context: CheckContext): CheckOutcome[];
}

export interface CheckContext {
  contract: Contract;
  sent: SentRequest;
  wire?: Pick<WireRequest, 'target' | 'headers' | 'body'>;
  sentAt: number; // When the request went out, on the clock of `performance.now()`.
  answer: WireAnswer;
  body: AnswerBody;
  expect: Expectation; // With every reference filled in.
  stated: Expectation; // As in the file, which tells stated values from those that come from an earlier response.
  invented?: Invented | undefined;
  guessed?: readonly GuessedKey[];
  open: boolean; // Whether several responses are correct, so that no status is expected.
  ledger: RecordLedger;
  secrets: readonly string[];
  strict: boolean;
}

export type CheckOutcome = CheckFinding | Need;

/** What a scenario needs in order to conclude something: a noun phrase, or a sentence without a full stop. */
export type Need = { needs: string };

export interface CheckFinding extends Omit<Finding, 'check' | 'severity' | 'contract' | 'baseline'> {
  severity?: Finding['severity']; // Default: `deviation`.
  contractPointer?: string | undefined; // JSON Pointer into the contract.
  contract?: ContractPlace;
  settles?: boolean; // Whether waiting may resolve it, since writes may become visible later. Default: no.
  isUntouched?: boolean; // Whether it is about what the run has not changed: only others could have. Default: no.
  key?: unknown;
  isHidden?: boolean;
  doubt?: Doubt | undefined;
}

/** One that a scenario can ask for by a keyword. */
export interface StatedCheck extends Check {
  looksAt: 'answer' | 'body';
  findMistake(value: unknown, given: Given): Mistake | undefined;
}

export interface Mistake {
  at: string;
  message: string; // A sentence with its full stop or question mark.
}

export interface Given {
  stage: 'file' | 'run'; // An empty list in the file is a mistake; in a run, the check says what it needs.
  isOpen: (value: unknown) => boolean;
  bodyKind: 'list' | 'object' | undefined;
}

export function within(at: string, mistake: Mistake | undefined): Mistake | undefined {
  return mistake === undefined ? undefined : { ...mistake, at: `${at}${mistake.at}` };
}

export function answered({ answer }: CheckContext): Answered | undefined {
  return answer.kind === 'answered' ? answer : undefined;
}

/** Whether the body is a part of a representation, which a request with a `Range` asked for (RFC 9110 section 14). */
export function isPart({ answer, wire }: Pick<CheckContext, 'answer' | 'wire'>): boolean {
  return answer.kind === 'answered' && answer.status === 206 && wire?.headers['Range'] !== undefined;
}

export function successBody({ answer, body }: CheckContext): unknown {
  if (answer.kind === 'unanswered' || answer.status < 200 || answer.status > 299) return undefined;
  return body.kind === 'json' ? body.value : undefined;
}

export function fromViolation({ rule, at, expected, actual, contract, more }: Violation): CheckFinding {
  return { rule, at, expected, actual, contract, ...(more === undefined ? {} : { more }) };
}

/** A finding with its place in the contract. One that names none is at `around`: what the contract says of the response. */
export function placeFinding(
  check: string,
  finding: CheckFinding,
  { contract, around }: { contract: Contract; around: string | undefined },
): Finding {
  const { contractPointer, settles, doubt, key, isHidden, isUntouched, severity = 'deviation', ...rest } = finding;
  const pointer = contractPointer ?? (finding.contract === undefined ? around : undefined);
  if (pointer === undefined) return { check, severity, ...rest };
  return { check, severity, ...rest, contract: placeIn(contract.document, pointer) };
}

export function pointerOf({ sent: { operation } }: { sent: Pick<SentRequest, 'operation'> }): string | undefined {
  return operation === undefined ? undefined : `${operation.pointer}/responses`;
}

export function placeOfRecord({ contract: { document }, sent: { operation } }: CheckContext): string | undefined {
  const success = operation?.responses.find(({ status }) => status.startsWith('2'));
  const schema = success?.content.find(({ schemaPointer }) => schemaPointer !== undefined)?.schemaPointer;
  const body = schema === undefined ? (success?.pointer ?? operation?.pointer) : resolveAt(document, schema).pointer;
  if (body === undefined || asObject(document.at(body))['items'] === undefined) return body;
  return resolveAt(document, `${body}/items`).pointer;
}

export function placeOfStatus(operation: Operation, status: number, { document }: Pick<Contract, 'document'>): string {
  const responses = `${operation.pointer}/responses`;
  const stated = findResponse(operation, status)?.status ?? '';
  const own = [stated, stated.toLowerCase()].map((each) => `${responses}/${each}`);
  return [...own, responses, operation.pointer].find((each) => document.at(each) !== undefined) ?? '';
}

export function placeOfDue(expected: readonly StatusPattern[], { contract, sent }: CheckContext): string {
  const { operation, authorized } = sent;
  if (operation === undefined) return '';
  const due = expected.find((each) => operation.responses.some(({ status }) => status === String(each).toUpperCase()));
  if (due !== undefined) return placeOfStatus(operation, Number(String(due).replace(/XX$/i, '00')), contract);
  const places = [`${operation.pointer}/security`, '/security'];
  const security = authorized ? undefined : places.find((each) => contract.document.at(each) !== undefined);
  return security ?? `${operation.pointer}/responses`;
}

export function placeOfLimit({ roles }: Subject, { query }: Pick<SentRequest, 'query'>): string | undefined {
  const limit = limitOf(roles);
  const isByDefault = limit?.schema['default'] !== undefined && query[limit.name] === undefined;
  return isByDefault && limit.schemaPointer !== undefined ? `${limit.schemaPointer}/default` : limit?.pointer;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonObject {
  return isObject(value);
}

export function listRecords(list: unknown): JsonObject[] | undefined {
  return Array.isArray(list) ? list.filter(isRecord) : undefined;
}

const MOST_SHOWN = 160;

export function show(value: unknown): string {
  return value === undefined ? 'absent' : cutText(printJson(value), MOST_SHOWN);
}

export function showPair(expected: unknown, actual: unknown): { expected: string; actual: string } {
  const print = (value: unknown): string => (value === undefined ? 'absent' : printJson(value));
  return showDifference(print(expected), print(actual));
}

/** Two texts, cut around their first difference in the same way, so that they never look alike. */
export function showDifference(expected: string, actual: string, most = MOST_SHOWN) {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at += 1;
  const isShort = expected.length <= most && actual.length <= most;
  const from = isShort ? 0 : Math.max(0, at - Math.min(30, Math.floor(most / 3)));
  const cut = (text: string): string => {
    const start = from > 0 && /[\uDC00-\uDFFF]/.test(text[from] ?? '') ? from - 1 : from;
    const part = text.slice(start, start + most).replace(/[\uD800-\uDBFF]$/, '');
    return `${start > 0 ? '…' : ''}${part}${start + most < text.length ? '…' : ''}`;
  };
  const shown = { expected: cut(expected), actual: cut(actual) };
  if (shown.expected === shown.actual || blur(shown.expected) !== blur(shown.actual)) return shown;
  const spellBeyondAscii = (text: string): string => text.replace(/[^\x20-\x7E]/gu, spell);
  return { expected: spellBeyondAscii(shown.expected), actual: spellBeyondAscii(shown.actual) };
}

function blur(text: string): string {
  const visible = text.normalize('NFKC').replace(/\p{Cf}|\p{Cc}/gu, '');
  return visible.replace(/\s+/gu, ' ');
}

/** A sentence in which characters without a width, and spaces beyond ASCII, can be seen. Every report spells out control characters. */
export function spellUnseen(text: string): string {
  return text.replace(/(?![\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF])\p{Cf}|(?! )\p{Zs}/gu, spell);
}

export function spellValue(value: string): string {
  return spellUnseen(value).replace(/^" +| +"(?=$|,)| {2,}/g, (spaces) => spaces.replaceAll(' ', spell));
}

const spell = (letter: string): string => `‹U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}›`;
