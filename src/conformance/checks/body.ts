import { hasNoContent } from '../../contract/validate.js';
import { answered, fromViolation, type Check } from './check.js';
import { findRule } from './find-response.js';

export const bodyCheck: Check = {
  id: 'body',
  title: 'a successful answer has the body that the contract describes',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    if (answer === undefined || operation === undefined || answer.status >= 400) return [];
    if (hasNoContent(answer.status)) return [];
    const rule = findRule(context);
    const [content] = rule?.content ?? [];
    if (rule === undefined || content === undefined || context.sent.method === 'HEAD') return [];
    if (context.body.kind === 'none') {
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
    if (context.body.kind !== 'json' || content.schemaPointer === undefined) return [];
    return context.contract.validate.value(content.schemaPointer, context.body.value).map(fromViolation);
  },
};
