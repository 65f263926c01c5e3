import type { JsonResult } from '../../../contract/document/json.js';
import type { Answered, AnswerBody, WireAnswer } from '../../model/wire.js';
import { DEEPEST_ANSWER, parseAnswer } from './parse-answer.js';
import { repairJson } from './repair-json.js';

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
  return { kind: 'unreadable', problem };
}

/** Why a body is no JSON as it came, although it may be plain what was meant. */
function findProblem({ bytes, unlabelled }: Answered, parsed: JsonResult): string | undefined {
  if (unlabelled !== undefined) return `the bytes are ${unlabelled}, and no Content-Encoding says so`;
  if (!parsed.ok) return parsed.problem.message;
  return startsWithMark(bytes) ? 'a byte order mark before the JSON' : undefined;
}

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
