import { TOKEN, type ApiResponse } from '../../contract/message.js';

/** What a field value may hold as Node sends it: a tab, and the visible characters of Latin-1 (RFC 9110 section 5.5). */
const NOT_IN_A_VALUE = /[^\t\u0020-\u007E\u0080-\u00FF]/;

/** Most answers have this type; checking a constant each time would cost 0.1 µs an answer. */
const JSON_TYPE = 'application/json';

/**
 * Why an answer cannot be put into HTTP, a sentence without a full stop; `undefined` when it can. Header fields
 * come from contracts, profiles and handlers, and a transport throws at one that it cannot write.
 */
export function findUnsendable({ status, headers, body }: ApiResponse): string | undefined {
  if (!Number.isInteger(status) || status < 200 || status > 599) return `${status} is not a status that HTTP allows`;
  if (body !== undefined && typeof body.text !== 'string') return 'its body has no text';
  for (const name in headers) {
    const value: unknown = headers[name];
    if (value === JSON_TYPE && name === 'Content-Type') continue;
    if (value !== undefined && sendable.get(name) === value) continue;
    if (!TOKEN.test(name)) return `${JSON.stringify(name)} is not a valid name of a header field`;
    if (typeof value !== 'string') return `the header field ${name} is not a text`;
    const odd = NOT_IN_A_VALUE.exec(value)?.[0];
    if (odd !== undefined) return `the header field ${name} holds ${describe(odd)}, which HTTP cannot carry`;
    if (sendable.size === MOST_REMEMBERED) sendable.clear();
    sendable.set(name, value);
  }
  return undefined;
}

/** The last value checked of each field: most are the same in every answer. */
const sendable = new Map<string, string>();
const MOST_REMEMBERED = 64;

function describe(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
