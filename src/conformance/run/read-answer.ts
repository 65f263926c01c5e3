import { parseJson, type JsonResult } from '../../contract/document/json.js';
import type { AnswerBody } from '../judge/check.js';
import { answersOnePet, isId, readAskedList, readOnePet } from '../judge/pets.js';
import type { Answered, WireAnswer } from '../model/wire.js';
import { DEEPEST_ANSWER, parseAnswer } from '../wire/http/parse-answer.js';
import { repairJson } from './repair-json.js';
import type { Step } from '../model/scenario.js';
import { fillTemplate, UnresolvedReference, type ResponseRecord, type Scope } from '../wire/request/template.js';

export function readBody(answer: WireAnswer): AnswerBody {
  if (answer.kind === 'unanswered') return { kind: 'none' };
  if (answer.cutOff !== undefined) return readCutOff(answer.bytes);
  if (answer.bytes.length === 0) return { kind: 'none' };
  const parsed = parseAnswer(answer.bytes);
  if (!parsed.ok && parsed.problem.kind === 'too-deep') return { kind: 'too-deep', deepest: DEEPEST_ANSWER };
  const problem = findProblem(answer, parsed);
  const value = parsed.ok ? parsed.value : repairJson(answer.bytes);
  if (problem === undefined) return { kind: 'json', value };
  if (value !== undefined) return { kind: 'json', value, problem };
  return { kind: 'unreadable', problem, ids: listShownIds(answer.bytes) };
}

/** Why a body is no JSON as it came, although it may be plain what was meant. */
function findProblem({ bytes, unlabelled }: Answered, parsed: JsonResult): string | undefined {
  if (unlabelled !== undefined) return `the bytes are ${unlabelled}, and no Content-Encoding says so`;
  if (!parsed.ok) return parsed.problem.message;
  return startsWithMark(bytes) ? 'a byte order mark before the JSON' : undefined;
}

/**
 * The ids in a text that is no JSON: with something before it, or XML. Its fields cannot be judged, but with its ids the
 * run can ask for more.
 */
function listShownIds(bytes: Uint8Array): unknown[] {
  const text = Buffer.from(bytes).toString('latin1').replaceAll('\0', '');
  const digits = new Set([...text.matchAll(SHOWN_ID)].map(([, id = '']) => id));
  return [...digits].flatMap((each) => {
    const parsed = parseJson(each);
    return parsed.ok ? [parsed.value] : [];
  });
}

const SHOWN_ID = /(?<![\w-])id["']?\s*[:>]\s*(-?\d{1,19})(?=[\s,}<])/g;

/** An object or a list that is closed has come whole; of a number, nobody can tell. */
function readCutOff(bytes: Uint8Array): AnswerBody {
  const parsed = parseAnswer(bytes);
  const isWhole = parsed.ok && typeof parsed.value === 'object' && parsed.value !== null;
  return isWhole ? { kind: 'json', value: parsed.value } : { kind: 'cut-off' };
}

/** RFC 8259 section 8.1: a sender must not add a byte order mark. */
function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** The answer as references in later steps see it. */
export function recordResponse(answer: WireAnswer, body: AnswerBody, operationId: string | undefined): ResponseRecord {
  const isSuccess = answer.kind === 'answered' && answer.status < 300;
  const isList = operationId === 'listPets' && isSuccess;
  const isOne = answersOnePet(operationId) && isSuccess;
  const value = body.kind === 'json' ? body.value : undefined;
  return {
    status: answer.kind === 'answered' ? answer.status : 0,
    headers: answer.kind === 'answered' ? answer.headers : {},
    body: isList && !isPlainList(value) ? (readAskedList(value) ?? value) : isOne ? readOnePet(value) : value,
  };
}

function isPlainList(value: unknown): boolean {
  return Array.isArray(value) && !Array.isArray(value[0]) && !isId(value[0]);
}

/** The pets that a text shows that is no JSON, by their ids; `undefined` if it shows none. */
export function readShown(body: AnswerBody): { id: unknown }[] | undefined {
  return body.kind === 'unreadable' && body.ids.length > 0 ? body.ids.map((id) => ({ id })) : undefined;
}

/** The outputs of a step. Of a list that is no JSON, those that are ids. */
export function readOutputs(step: Step, scope: Scope, body: AnswerBody): Record<string, unknown> {
  const outputs: Record<string, unknown> = {};
  const shown = readShown(body);
  const response = scope.response && shown ? { ...scope.response, body: shown } : undefined;
  for (const [name, reference] of Object.entries(step.outputs)) {
    const asksForId = response !== undefined && reference.endsWith('/id');
    const value =
      findOutput(reference, scope) ?? (asksForId ? findOutput(reference, { ...scope, response }) : undefined);
    if (value !== undefined) outputs[name] = value;
  }
  return outputs;
}

/** An answer need not contain an output; a step that refers to it will report that. */
function findOutput(reference: string, scope: Scope): unknown {
  try {
    return fillTemplate(reference, scope);
  } catch (error) {
    if (error instanceof UnresolvedReference) return undefined;
    throw error;
  }
}
