import { parseNumberLiteral, type Int64 } from '../document/json.js';

/**
 * The ways to write an integer in a URL beside its plain digits, by the names
 * that the gaps `limit-forms` and `pet-id-forms` have for them. JSON takes the
 * first two for integers (JSON Schema 2020-12, section 6.1.1), many languages
 * the others; OpenAPI says of no form how the text of a parameter is read.
 */
const INTEGER_FORMS: Readonly<Record<string, RegExp>> = {
  fraction: /^-?(?:0|[1-9]\d*)\.0+$/,
  exponent: /^-?(?:0|[1-9]\d*)(?:\.\d+)?e\+?\d+$/i,
  plus: /^\+(?:0|[1-9]\d*)$/,
  zeros: /^-?0+\d+$/,
  space: /^\s+-?(?:0|[1-9]\d*)\s*$|^-?(?:0|[1-9]\d*)\s+$/,
};

/**
 * The integer that a text states in one of these forms; `undefined` for plain digits, and for a text that states none.
 */
export function readIntegerForm(
  text: string,
  forms: readonly string[] = Object.keys(INTEGER_FORMS),
): Int64 | undefined {
  if (!forms.some((form) => INTEGER_FORMS[form]?.test(text) === true)) return undefined;
  const literal = text
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1');
  const value = parseNumberLiteral(literal);
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? (value as Int64) : undefined;
}
