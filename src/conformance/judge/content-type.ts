import { findContent } from '../../contract/media-types.js';
import { answered, type Check } from './check.js';
import { findRule } from './find-response.js';

export const contentTypeCheck: Check = {
  id: 'content-type',
  title: 'a response has a media type of the contract',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    if (answer === undefined || operation === undefined || answer.bytes.length === 0) return [];
    const rule = findRule(context);
    if (rule === undefined || rule.content.length === 0) return [];
    const header = answer.headers['content-type'];
    const contractPointer = `${rule.pointer}/content`;
    const mediaTypes = rule.content.map(({ mediaType }) => mediaType);
    if (header !== undefined && header !== '' && findContent(rule.content, header) !== undefined) return [];
    return [
      {
        rule: 'media-type',
        at: 'header/content-type',
        expected: mediaTypes.join(' or '),
        actual: header ?? 'absent',
        contractPointer,
      },
    ];
  },
};
