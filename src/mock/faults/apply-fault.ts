import { omit } from '../store/kept.js';
import { findExample } from '../../contract/schemas/examples.js';
import { jsonBody, shorten } from '../../contract/document/json.js';
import type { ApiRequest, ApiResponse, TransportFault, Operation } from '../../contract/model.js';
import { kindOf, type FaultEffect, type FaultHit, type Fault } from './faults.js';
import { neededHeaders } from '../response/prefer.js';
import { writeGiven } from '../response/write-response.js';
import { createErrorResponse, errorCodeOf } from '../response/errors.js';
import { type Outgoing, findUnsendable } from '../response/outgoing.js';
import type { World } from '../world/world.js';
import type { Contract } from '../../contract/contract.js';
import { suggest } from '../../suggest.js';
import { findReversed, isDelay } from '../world/clock.js';
import { formatPlace } from '../../errors.js';
import { hasNoContent, describeViolation, type Violation } from '../../contract/schemas/violation.js';

export function respondInPlace(effect: FaultEffect, operation: Operation, world: World): Outgoing {
  const replaced = replaceResponse(effect, operation, world);
  if (replaced !== undefined) return replaced;
  const isReset = 'reset' in effect;
  const response = isReset
    ? createErrorResponse(500, 'fault injection: the connection was reset')
    : createExampleResponse(operation, world);
  return { response, operation };
}

export function replaceResponse(effect: FaultEffect, operation: Operation, world: World): Outgoing | undefined {
  if ('answer' in effect) {
    const response = writeGiven(effect.answer, operation, world.contract);
    // It was checked when it was planted, so it is sent as it stands.
    const isBroken = effect.answer.breaksContract === true;
    const broken = isBroken ? world.contract.validate.response(operation, response) : [];
    const notes = broken.map((each) => `breaks the contract on purpose: ${describeBreach(each)}`);
    return { response, operation, isAsGiven: true, ...(notes.length > 0 && { notes }) };
  }
  if (!('status' in effect)) return undefined;
  const { status, retryAfter, message = `fault injection: ${status}`, code = errorCodeOf(status) } = effect;
  const headers = neededHeaders(status, operation, world);
  const all = retryAfter === undefined ? headers : { ...headers, 'Retry-After': String(retryAfter) };
  const error = createErrorResponse(status, message, all);
  return { response: { ...error, body: jsonBody({ ...(error.body?.value as object), code }) }, operation };
}

function createExampleResponse(operation: Operation, world: World): ApiResponse {
  const rule = operation.responses.find(({ status }) => status.startsWith('2'));
  const example = rule === undefined ? undefined : findExample(world.contract.document, rule);
  const status = /^\d+$/.test(rule?.status ?? '') ? Number(rule?.status) : 200;
  const headers = { 'Content-Type': 'application/json' };
  return { status, headers, body: jsonBody(example === undefined ? {} : example.value) };
}

export function spoil(
  response: ApiResponse,
  hit: FaultHit,
  context: { request: ApiRequest; operation: Operation; world: World },
): ApiResponse {
  const kind = hit.effect === undefined ? undefined : kindOf(hit.effect);
  let cut: TransportFault['cut'] = kind === 'reset' || kind === 'truncate' ? kind : undefined;
  // A response without a body cannot be cut in the middle: a client would think it complete (RFC 9112 section 6.3).
  const hasNone = context.request.method === 'HEAD' || response.status === 204 || response.status === 304;
  if (kind === 'truncate' && hasNone) cut = 'reset';
  const transport = cut === undefined && hit.delay === 0 ? {} : { transport: { delay: hit.delay, cut } };
  if (kind === 'invalidJson') {
    // A truncated JSON array or object is never valid JSON; any other value gets a bracket that is never closed.
    const text = response.body?.text ?? '';
    const isLong = text.length > 2 && /^[[{]/.test(text);
    const half = isLong ? text.slice(0, Math.ceil(text.length / 2)) : `[${text}`;
    return { ...response, ...transport, body: { value: undefined, text: half } };
  }
  if (kind === 'breakContract') return { ...breakContract(response, context), ...transport };
  return { ...response, ...transport };
}

function breakContract(response: ApiResponse, { operation, world }: { operation: Operation; world: World }) {
  const isBroken = (each: ApiResponse): boolean => world.contract.validate.response(operation, each).length > 0;
  const withBody = (value: unknown): ApiResponse => ({ ...response, body: jsonBody(value) });
  const broken = changesOf(response.body?.value).find((value) => isBroken(withBody(value)));
  if (broken !== undefined) return withBody(broken);
  const undocumented = { ...response, status: 299 };
  return isBroken(undocumented) ? undocumented : response;
}

function changesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return [...changesOf(value[0]).map((first) => [first].concat(value.slice(1))), {}];
  if (typeof value !== 'object' || value === null) return [{}, null];
  return [...Object.keys(value).map((name) => omit(value, name)), []];
}

type Rule = (value: unknown) => string | undefined;

const must =
  (expected: string, accepts: (value: unknown) => boolean): Rule =>
  (value) =>
    accepts(value) ? undefined : `must be ${expected}, not ${shorten(value)}`;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isWhole = (from: number, to: number) => (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string');
const isTrue = must('true', (value) => value === true);

const FIELDS: Readonly<Record<keyof Fault, Rule>> = {
  operationId: must('the operationId of an operation', isText),
  when: must('a mapping', isObject),
  effect: must('a mapping such as { status: 500 }', isObject),
  at: must('before or after', (value) => value === 'before' || value === 'after'),
  times: must('a whole number from 1', isWhole(1, Number.MAX_SAFE_INTEGER)),
  rate: must('a number above 0 and up to 1', (value) => typeof value === 'number' && value > 0 && value <= 1),
  seed: must('a whole number from 0', isWhole(0, Number.MAX_SAFE_INTEGER)),
};

const CONDITIONS: Readonly<Record<string, Rule>> = {
  method: must('a method such as GET', isText),
  path: must('a path such as /pets/7', (value) => typeof value === 'string' && value.startsWith('/')),
  query: must('a mapping of texts', isTexts),
  headers: must('a mapping of texts', isTexts),
  body: must('a mapping', isObject),
  status: must('an HTTP status', isWhole(100, 599)),
};

const EFFECTS: Readonly<Record<string, Rule>> = {
  status: must('a status from 400 to 599', isWhole(400, 599)),
  answer: must('a mapping such as { status: 200, body: {} }', isObject),
  code: must('a text', isText),
  message: must('a text', isText),
  retryAfter: must('a whole number of seconds', isWhole(0, 31_536_000)),
  reset: isTrue,
  truncate: isTrue,
  invalidJson: isTrue,
  breakContract: isTrue,
  delay: (value) =>
    findReversed(value) ??
    must('milliseconds such as 200, or a range such as { from: 100, to: 800 }, a day at most', isDelay)(value),
};

const ANSWER: Readonly<Record<string, Rule>> = {
  status: must('a status from 200 to 599', isWhole(200, 599)),
  headers: must('a mapping of texts', isTexts),
  body: () => undefined,
  breaksContract: isTrue,
};

export function findFaultProblems(fault: unknown, contract: Contract): string[] {
  const problems = findShapeProblems(fault);
  if (problems.length > 0) return problems;
  const { operationId } = fault as Fault;
  const ids = contract.operations.map(({ id }) => id);
  if (operationId === undefined || ids.includes(operationId)) return findAnswerProblems(fault as Fault, contract);
  return [`the contract has no operation ${operationId}${suggest(operationId, ids)} It has ${ids.join(', ')}`];
}

export function findShapeProblems(fault: unknown): string[] {
  if (!isObject(fault)) return [`a fault must be a mapping such as { effect: { status: 500 } }, not ${shorten(fault)}`];
  const problems = [
    ...findFieldProblems(fault, FIELDS, ''),
    ...findFieldProblems(fault['when'], CONDITIONS, 'when.'),
    ...findFieldProblems(fault['effect'], EFFECTS, 'effect.'),
    ...findFieldProblems((fault['effect'] as { answer?: unknown } | undefined)?.answer, ANSWER, 'effect.answer.'),
    ...(fault['effect'] === undefined ? ['effect must say what happens, such as { status: 500 }'] : []),
  ];
  return problems.length > 0 ? problems : findContradictions(fault as unknown as Fault);
}

function findFieldProblems(value: unknown, rules: Readonly<Record<string, Rule>>, prefix: string): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const known = Object.keys(rules);
      return [`there is no ${prefix}${name}${suggest(name, known)} There are ${known.join(', ')}`];
    }
    const problem = field === undefined ? undefined : rule(field);
    return problem === undefined ? [] : [`${prefix}${name} ${problem}`];
  });
}

function findContradictions({ effect, at, when, rate, seed }: Fault): string[] {
  const isGiven = (name: string): boolean => (effect as Record<string, unknown>)[name] !== undefined;
  const effects = ['status', 'answer', 'reset', 'truncate', 'invalidJson', 'breakContract'].filter(isGiven);
  const details = ['code', 'message', 'retryAfter'].filter(isGiven);
  const problems: string[] = [];
  if (effects.length > 1) problems.push(`effect can have ${effects.join(' or ')}, not both`);
  if (effects.length === 0 && effect.delay === undefined)
    problems.push('effect must say what happens: status, answer, delay, reset, truncate, invalidJson or breakContract');
  if (details.length > 0 && kindOf(effect) !== 'status')
    problems.push(`effect.${details[0]} is only allowed with effect.status`);
  if (at === 'before' && when?.status !== undefined)
    problems.push('when.status is known only after the operation has run: leave `at` out, or set it to after');
  if (seed !== undefined && rate === undefined) problems.push('seed is only allowed with rate');
  return problems;
}

function findAnswerProblems(fault: Fault, contract: Contract): string[] {
  if (!('answer' in fault.effect)) return [];
  const operation = findAnswered(fault, contract);
  if (operation === undefined)
    return [
      'effect.answer is checked against the contract, so the fault must name the operation: its operationId, or when.method and when.path',
    ];
  const response = writeGiven(fault.effect.answer, operation, contract);
  const hasNoPlace = response.body !== undefined && hasNoContent(response.status);
  const why = hasNoPlace ? `a response with ${response.status} has no body (RFC 9110)` : findUnsendable(response);
  if (why !== undefined) return [`effect.answer cannot be sent: ${why}`];
  const broken = findAnswerViolations(fault, contract).map(describeBreach).join('; ');
  if (broken === '') return [];
  return [`effect.answer breaks the contract: ${broken}; to send it anyway, add breaksContract: true to effect.answer`];
}

/** What an answer of one's own breaks of the contract, unless it says that it does. Its fault has the right shape. */
export function findAnswerViolations(fault: Fault, contract: Contract): Violation[] {
  const operation = findAnswered(fault, contract);
  if (!('answer' in fault.effect) || operation === undefined || fault.effect.answer.breaksContract === true) return [];
  return contract.validate.response(operation, writeGiven(fault.effect.answer, operation, contract));
}

export const describeBreach = (violation: Violation): string =>
  `${describeViolation(violation)} (${formatPlace(violation.contract)})`;

function findAnswered({ operationId, when = {} }: Fault, contract: Contract): Operation | undefined {
  if (operationId !== undefined) return contract.operations.find(({ id }) => id === operationId);
  if (when.method === undefined || when.path === undefined) return undefined;
  const match = contract.match(when.method.toUpperCase(), when.path);
  return match.kind === 'operation' ? match.operation : undefined;
}
