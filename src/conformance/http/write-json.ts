// JSON as RFC 8259 lets a client write it: each way states the same value.
import { printJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { JSON_SCHEMA, type Dialect } from '../../contract/schemas/dialect.js';
import type { JsonForm } from '../model/exchange.js';

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** The text of a value, in a form. `{"id":12}` is `{"id":0.12e2}` with exponents, where the dialect has such integers. */
export function writeJson(value: unknown, form: JsonForm, dialect: Dialect): string {
  if (form === 'reversed') return printJson(reverse(value));
  const text = printJson(value);
  if (form === 'ascii') return text.replaceAll(/[^\0-\u{7F}]/gu, escapeUnits);
  if (form === 'escaped-signs') return text.replaceAll(/[<>&'=/]/g, escapeUnits);
  const tokens = text.match(TOKENS) ?? [];
  if (form === 'white-space') return tokens.map((token) => ` \t\r\n${token}`).join('') + ' \t\r\n';
  if (form === 'exponents') return tokens.map((token) => addExponent(token, dialect)).join('');
  const isAsked = (at: number): boolean => (tokens[at + 1] === ':') === (form === 'escaped-names');
  return tokens.map((token, at) => (token.startsWith('"') && isAsked(at) ? escapeLetters(token) : token)).join('');
}

/** In UTF-16, with two escapes for what is beyond 16 bits (RFC 8259 section 7). */
function escapeUnits(sign: string): string {
  const units = Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** With digits in either case (RFC 8259 section 7). */
function escapeLetters(token: string): string {
  return token.replaceAll(/\\.|[A-Za-z/]/g, (part, at: number) => {
    if (part.length > 1) return part;
    if (part === '/') return '\\/';
    return at % 2 === 0 ? escapeUnits(part).toUpperCase().replace('U', 'u') : escapeUnits(part);
  });
}

/** `0.25` is `25E-2`, and `12` is `0.12e2`, so that a reader who stops at the `e` has another number, though not in OpenAPI 3.0 (JSON Schema Core, draft 5, section 3.5: without an exponent). */
function addExponent(token: string, dialect: Dialect): string {
  const [, minus = '', integer = ''] = /^(-?)([1-9]\d*)$/.exec(token) ?? [];
  if (integer !== '') return dialect === JSON_SCHEMA ? `${minus}0.${integer}e${integer.length}` : token;
  const [, sign = '', whole = '', digits = ''] = /^(-?)(\d+)\.(\d+)$/.exec(token) ?? [];
  return digits === '' ? token : `${sign}${`${whole}${digits}`.replace(/^0+(?=\d)/, '')}E-${digits.length}`;
}

/** Only those of objects: the order of a list is a part of it (RFC 8259 section 5). */
function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse);
  const members = Object.entries(asObject(value));
  if (members.length === 0) return value;
  return Object.fromEntries(members.toReversed().map(([name, each]) => [name, reverse(each)]));
}
