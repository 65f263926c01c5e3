import { findContent, isJsonMediaType } from '../../contract/media-types.js';
import { answered, type Check } from './check.js';
import type { Content } from '../../contract/model.js';
import { findRule } from './find-response.js';

function isOfOtherType(header: string | undefined, content: readonly Content[]): boolean {
  return header !== undefined && !isJsonMediaType(header) && findContent(content, header) !== undefined;
}

export const jsonCheck: Check = {
  id: 'json',
  title: 'a body is well-formed JSON in UTF-8, with nothing before or after it',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    const { body } = context;
    const rule = answer === undefined || operation === undefined ? undefined : findRule(context);
    if (rule?.content.some(({ mediaType }) => isJsonMediaType(mediaType)) !== true) return [];
    // What is labelled as another media type that the contract gives it is none.
    if (answer !== undefined && isOfOtherType(answer.headers['content-type'], rule.content)) return [];
    if (body.kind === 'too-deep') return [{ needs: `a response that is nested at most ${body.deepest} levels deep` }];
    if (!('problem' in body) || body.problem === undefined) return [];
    return [
      {
        rule: 'well-formed',
        at: 'body',
        expected: 'JSON (RFC 8259)',
        actual: body.problem,
        contractPointer: `${rule.pointer}/content`,
      },
    ];
  },
};
