import type { AnswerBody, WireAnswer } from '../model/wire.js';
import type { Step } from '../model/scenario.js';
import { fillTemplate, UnresolvedReference, type ResponseRecord, type Scope } from '../wire/request/template.js';

/** The answer as references in later steps see it. */
export function recordResponse(answer: WireAnswer, body: AnswerBody): ResponseRecord {
  return {
    status: answer.kind === 'answered' ? answer.status : 0,
    headers: answer.kind === 'answered' ? answer.headers : {},
    body: body.kind === 'json' ? body.value : undefined,
  };
}

/** The outputs of a step. */
export function readOutputs(step: Step, scope: Scope): Record<string, unknown> {
  const found = Object.entries(step.outputs).map(([name, reference]) => [name, findOutput(reference, scope)] as const);
  // A key that is null is none.
  return Object.fromEntries(found.filter(([name, value]) => value !== undefined && (value !== null || name !== 'key')));
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
