import { isJsonMediaType } from '../../contract/media-types.js';
import { answered, type Check } from './check.js';
import { findRule } from './find-response.js';

export const jsonCheck: Check = {
  id: 'json',
  title: 'a body is well-formed JSON in UTF-8, with nothing before or after it',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    const problem = 'problem' in context.body ? context.body.problem : undefined;
    if (answer === undefined || operation === undefined || problem === undefined) return [];
    const rule = findRule(context);
    if (rule?.content.some(({ mediaType }) => isJsonMediaType(mediaType)) !== true) return [];
    return [
      {
        rule: 'well-formed',
        at: 'body',
        expected: 'JSON (RFC 8259)',
        actual: problem,
        contractPointer: `${rule.pointer}/content`,
      },
    ];
  },
};
