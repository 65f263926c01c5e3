import type { Draw } from './draw.js';

/** Kinds of texts by how they are written, the narrowest first. */
const FORMS: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['link', /^[a-z][a-z+.-]*:\/\//i],
  ['mail', /^[^\s@]+@[^\s@]+$/],
  ['phone', /^\+?[\d\s().-]{7,}$/],
  ['digits', /^\d+$/],
  ['decimal', /^-?\d+[.,]\d+$/],
  ['short code', /^[A-Z]{2,3}$/],
  ['code', /^(?=.*[A-Z])[A-Z\d_-]+$/],
  ['short word', /^[a-z]{2,3}$/],
  ['path', /^\//],
  ['file', /^\S+\.[a-z\d]{2,4}$/i],
  ['slug', /^[a-z\d]+(?:[-_.:/][a-z\d]+)+$/],
];

/** How a text is written, so that what is made by a name's rule can be told from what the contract shows. */
export function formOf(text: string): string {
  return FORMS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text';
}

const LEAST_DIGITS = 3;

/** Another text of the example's form: with other digits, if it is a number of something; else the example. */
export function varyExample(example: string, draw: Draw, isAllowed: (text: string) => boolean): string {
  const count = example.replace(/\D/g, '').length;
  if (count < LEAST_DIGITS || /\s|:\/\/|[{}[\]<>]/.test(example)) return example;
  const varied = example.replace(/\d+/g, (digits) =>
    draw().string.numeric({ length: digits.length, allowLeadingZeros: digits.startsWith('0') }),
  );
  return isAllowed(varied) ? varied : example;
}
