// JSON as RFC 8259 lets a client write it: each text states the same value.
import { asObject } from '../../../contract/document/plain.js';
import { recordTypeOf } from '../../../contract/resources/resource.js';
import type { Row } from '../../model/raw-scenario.js';
import { wrap } from '../request-body.js';
import { quoteTexts, writeTemplate } from './odd.js';
import type { TableSource } from './table-source.js';

interface Form {
  id: string;
  words: string;
  /** Changes a token of the text. */
  write?: (token: string, isName: boolean) => string;
  /** Between all tokens. */
  space?: string;
  /** Members stand in reverse order. */
  isReversed?: true;
}

const FORMS: readonly Form[] = [
  // RFC 8259 section 2.
  { id: 'white-space', words: 'with white space between all tokens', space: ' \t\r\n' },
  // RFC 8259 section 7: a letter and its escape are the same, with digits in either case.
  {
    id: 'escaped-names',
    words: 'with escapes in its field names',
    write: (token, isName) => (isName ? escapeLetters(token) : token),
  },
  {
    id: 'escaped-values',
    words: 'with escapes in its strings',
    write: (token, isName) => (isName ? token : escapeLetters(token)),
  },
  // RFC 8259 section 6. A number without a fraction stays: many a reader of integers takes no exponent.
  { id: 'exponents', words: 'with exponents in its decimals', write: addExponent },
  // RFC 8259 section 4: members have no order.
  { id: 'reversed', words: 'with its fields in reverse order', isReversed: true },
];

/** The full record, each time as the same JSON in other letters. */
export function listJsonForms({ subject: { roles }, made: { full, plain } }: TableSource): Row[] {
  const { create } = roles;
  if (create === undefined || recordTypeOf(create.operation) !== 'application/json') return [];
  const record = wrap(quoteTexts(full, plain), create.requestMember);
  const usual = writeTemplate(record);
  return FORMS.flatMap(({ id, words, write = (token) => token, space = '', isReversed }) => {
    const tokens = writeTemplate(isReversed === true ? reverse(record) : record).match(TOKENS) ?? [];
    const written = tokens.map(
      (token, index) => space + write(token, tokens[index + 1] === ':' && token.startsWith('"')),
    );
    const text = written.join('') + space;
    return text === usual ? [] : [{ id, words, body: { text } }];
  });
}

/** References stay as they are: `{$unique}`. */
const TOKENS = /"(?:[^"\\]|\\.)*"|\{\$[^{}]*\}|[{}[\],:]|[^\s"{}[\],:]+/g;

function escapeLetters(token: string): string {
  if (!token.startsWith('"')) return token;
  return token.replaceAll(/\{\$[^{}]*\}|\\.|[A-Za-z/]/g, (part, at: number) => {
    if (part.length > 1) return part;
    if (part === '/') return '\\/';
    const digits = part.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${at % 2 === 0 ? digits.toUpperCase() : digits}`;
  });
}

/** `0.25` is `25E-2`. */
function addExponent(token: string): string {
  const [, sign = '', whole = '', digits = ''] = /^(-?)(\d+)\.(\d+)$/.exec(token) ?? [];
  if (digits === '') return token;
  return `${sign}${`${whole}${digits}`.replace(/^0+(?=\d)/, '')}E-${digits.length}`;
}

/** Only those of objects: the order of a list is a part of it (RFC 8259 section 5). */
function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse);
  const members = Object.entries(asObject(value));
  if (members.length === 0) return value;
  return Object.fromEntries(members.toReversed().map(([name, each]) => [name, reverse(each)]));
}
