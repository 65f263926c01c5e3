import { answered, type Check } from './check.js';
import { findRule } from './find-response.js';

export const contentTypeCheck: Check = {
  id: 'content-type',
  title: 'an answer has the media type that the contract gives it',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    if (answer === undefined || operation === undefined || answer.bytes.length === 0) return [];
    const rule = findRule(context);
    if (rule === undefined || rule.content.length === 0) return [];
    const header = answer.headers['content-type'];
    const contractPointer = `${rule.pointer}/content`;
    const mediaTypes = rule.content.map(({ mediaType }) => mediaType);
    // A charset has no effect on JSON (RFC 8259 section 11); whether its bytes are UTF-8, another check tells.
    if (mediaTypes.some((stated) => isWithinRange(mediaTypeOf(header), stated))) return [];
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

// The contract may state a range.
function isWithinRange(mediaType: string, stated: string): boolean {
  if (stated === '*/*') return mediaType.includes('/');
  return stated.endsWith('/*') ? mediaType.startsWith(stated.slice(0, -1)) : mediaType === stated;
}

/** The media type in lower case without its parameters (RFC 9110 section 8.3.1). */
export function mediaTypeOf(header: string | undefined): string {
  return header?.split(';')[0]?.trim().toLowerCase() ?? '';
}
