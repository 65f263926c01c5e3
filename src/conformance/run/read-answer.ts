import { parseJsonBytes } from '../../contract/document/json.js';
import type { AnswerBody } from '../checks/check.js';
import { answersOnePet, readAskedList, readOnePet } from '../checks/pets.js';
import type { WireAnswer } from '../http/wire.js';
import type { Step } from '../scenarios/scenario.js';
import { fillTemplate, UnresolvedReference, type ResponseRecord, type Scope } from '../scenarios/template.js';

export function readBody(answer: WireAnswer): AnswerBody {
  if (answer.kind === 'unanswered') return { kind: 'none' };
  if (answer.cutOff !== undefined) return readCutOff(answer.bytes);
  if (answer.bytes.length === 0) return { kind: 'none' };
  if (startsWithMark(answer.bytes)) return { kind: 'unreadable', problem: 'a byte order mark before the JSON' };
  const parsed = parseJsonBytes(answer.bytes);
  return parsed.ok ? { kind: 'json', value: parsed.value } : { kind: 'unreadable', problem: parsed.problem.message };
}

/** An object or a list that is closed has come whole; of a number, nobody can tell. */
function readCutOff(bytes: Uint8Array): AnswerBody {
  const parsed = parseJsonBytes(bytes);
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
    body: isList && !Array.isArray(value) ? (readAskedList(value) ?? value) : isOne ? readOnePet(value) : value,
  };
}

/** The outputs of a step. */
export function readOutputs(step: Step, scope: Scope): Record<string, unknown> {
  const outputs: Record<string, unknown> = {};
  for (const [name, reference] of Object.entries(step.outputs)) {
    const value = findOutput(reference, scope);
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
