import type { ResponseRule } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import { hasNoContent } from '../../contract/validate.js';
import { answered, fromViolation, type Check, type CheckContext, type CheckFinding } from './check.js';
import { findLabelled, findRule } from './find-response.js';
import { isRecord } from './shown.js';
import { judgeWriteOnly } from './write-only.js';

export const bodyCheck: Check = {
  id: 'body',
  title: 'a response has the header fields, and a successful one the body, that the contract describes',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    if (answer === undefined || operation === undefined || context.sent.method === 'HEAD') return [];
    const isError = answer.status >= 400;
    // An error of a status that the contract does not have need not have what another requires.
    const rule = isError ? findResponse(operation, answer.status) : findRule(context);
    if (rule === undefined) return [];
    const inHeaders = context.contract.validate.headers(rule, answer.headers).map(fromViolation);
    return [...inHeaders, ...(isError || hasNoContent(answer.status) ? [] : judgeBody(rule, context))];
  },
};

function judgeBody(rule: ResponseRule, context: CheckContext): CheckFinding[] {
  const { body, contract } = context;
  const [first] = rule.content;
  if (first === undefined) return [];
  const content = findLabelled(rule, context);
  if (body.kind === 'none') {
    return [
      {
        rule: 'present',
        at: 'body',
        expected: `a body of ${(content ?? first).mediaType}`,
        actual: 'no body',
        contractPointer: `${rule.pointer}/content`,
      },
    ];
  }
  if (body.kind !== 'json' || content?.schemaPointer === undefined) return [];
  const judge = (value: unknown): CheckFinding[] =>
    contract.validate.value(content.schemaPointer as string, value).map(fromViolation);
  const broken = judge(body.value);
  const hidden = judgeWriteOnly(content.schemaPointer, context);
  if (broken.length === 0) return hidden;
  return [...(judgeWithin(body.value, broken, judge) ?? broken), ...hidden];
}

/** The rule of a body that is what the contract describes, but for an object around it. */
export const ENVELOPE = 'envelope';

/** What is wrong with a body in an envelope: that, and what is wrong with the body; `undefined` if it is in none. */
function judgeWithin(
  shown: unknown,
  broken: readonly CheckFinding[],
  judge: (value: unknown) => CheckFinding[],
): CheckFinding[] | undefined {
  if (!isRecord(shown)) return undefined;
  const inside = Object.entries(shown).filter(([, value]) => typeof value === 'object' && value !== null);
  const [only] = inside;
  if (only === undefined || inside.length > 1) return undefined;
  const [name, value] = only;
  // What the contract says of something in it, it says of no object of the service's own.
  if (broken.some(({ at }) => `${at}/`.startsWith(`body/${name}/`))) return undefined;
  const found = judge(value);
  // What lacks fields, or is of another type, is something else.
  if (found.some(({ at, rule }) => at === 'body' || (rule === 'required' && at.split('/').length === 2)))
    return undefined;
  const at = `body/${name}`;
  return [
    { rule: ENVELOPE, at, expected: 'no object around what the contract describes', actual: 'one' },
    ...found.map((each) => Object.assign(each, { at: each.at.replace(/^body/, at) })),
  ];
}
