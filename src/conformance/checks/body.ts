import type { ResponseRule } from '../../contract/model.js';
import { hasNoContent } from '../../contract/validate.js';
import { answered, fromViolation, type Check, type CheckContext, type CheckFinding } from './check.js';
import { findRule } from './find-response.js';
import { answersOnePet, findOnePet } from './pets.js';

export const bodyCheck: Check = {
  id: 'body',
  title: 'a successful answer has the body and the header fields that the contract describes',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    if (answer === undefined || operation === undefined || answer.status >= 400) return [];
    const rule = findRule(context);
    if (rule === undefined || context.sent.method === 'HEAD') return [];
    const inHeaders = context.contract.validate.headers(rule, answer.headers).map(fromViolation);
    return [...inHeaders, ...(hasNoContent(answer.status) ? [] : judgeBody(rule, context))];
  },
};

function judgeBody(rule: ResponseRule, { body, contract, sent }: CheckContext): CheckFinding[] {
  const [content] = rule.content;
  if (content === undefined) return [];
  if (body.kind === 'none') {
    return [
      {
        rule: 'present',
        at: 'body',
        expected: `a body of ${content.mediaType}`,
        actual: 'no body',
        contractPointer: `${rule.pointer}/content`,
      },
    ];
  }
  if (body.kind !== 'json' || content.schemaPointer === undefined) return [];
  const judge = (value: unknown): CheckFinding[] =>
    contract.validate.value(content.schemaPointer as string, value).map(fromViolation);
  const found = judge(body.value);
  const inside = found.length === 0 || !answersOnePet(sent.operation?.id) ? undefined : findOnePet(body.value);
  if (inside === undefined || inside.pet === body.value) return found;
  // What is wrong with the pet is so wherever it stands.
  return [
    ...found,
    ...judge(inside.pet).map((each) => Object.assign(each, { at: each.at.replace(/^body/, inside.at) })),
  ];
}
