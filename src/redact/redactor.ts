import { listForms, type Form } from './forms.js';
import { DEPTHS, INTRODUCERS, readEncoded, type DecodedChar } from './read-encoded.js';

/** Takes secrets out of a text. */
export interface Redactor {
  (text: string): string;
  /** The first characters of a text, this many, without its secrets; one across the cut is removed completely. */
  head(text: string, length: number): string;
  /** How much more text than the head is needed to recognise a secret across the cut. */
  reach: number;
}

/** Replaces a secret in everything that leaves. */
export const PLACEHOLDER = '[redacted]';

/** A shorter word or number occurs in any text by chance, so it is not looked for: it would black out everything. */
const SHORTEST_WORD = 4;

function isLookedFor(secret: string): boolean {
  return secret.length >= SHORTEST_WORD || (secret.length > 1 && /\d/.test(secret) && /\D/.test(secret));
}

/** The most characters that one character of a secret takes, in the longest encoding. */
const LONGEST_ESCAPE = 24;

/**
 * Removes these secrets from any text, in any mixture of encodings: with escapes of JSON, URLs
 * and HTML for any of their letters, in either case, in Base64 and in hex; also the start of one that is cut off by
 * `…`, and its first half if that has 12 characters. One of fewer than 6 characters is removed only as a word of its own; a word or number of 3 or fewer stays.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = [...new Set(secrets)].filter(isLookedFor).flatMap(listForms);
  if (forms.length === 0) return Object.assign((text: string) => text, { head: cutAt, reach: 0 });
  // The longest first, so that no remainder is left.
  forms.sort((one, other) => other.text.length - one.text.length);
  const start = createStartPattern(forms);
  const redact = (text: string, length: number): string => {
    let shown = '';
    let done = 0;
    start.lastIndex = 0;
    for (let hit = start.exec(text); hit !== null && hit.index < length; hit = start.exec(text)) {
      const found = findAt(text, hit.index, forms);
      if (found === undefined) continue;
      shown += text.slice(done, Math.max(found.start, done)) + PLACEHOLDER;
      done = found.end;
      start.lastIndex = done;
    }
    if (done === 0) return cutAt(text, length);
    return done < length ? shown + text.slice(done, length) : shown;
  };
  return Object.assign((text: string) => redact(text, Infinity), {
    head: redact,
    reach: Math.max(...forms.map(({ text }) => text.length)) * LONGEST_ESCAPE,
  });
}

function cutAt(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length);
}

/** Where a form may begin: with its first three letters, any except the first of them escaped, or with a possible escape. */
function createStartPattern(forms: readonly Form[]): RegExp {
  const escape = `[${escapeForPattern(INTRODUCERS)}]`;
  const starts = forms.map(({ text }) => {
    const [first, second, third] = [0, 1, 2].map((index) => escapeForPattern(text.charAt(index)));
    return `${first}(?=${escape}|${second}(?:${escape}|${third}))`;
  });
  const firsts = forms.map(({ text }) => escapeForPattern(text.charAt(0))).join('');
  const escapes = [
    String.raw`\\(?=[ux0-7${escapeForPattern(INTRODUCERS)}${firsts}])`,
    '%(?=[\\da-fu])',
    '&(?=[#algq])',
    '~(?=[01])',
  ];
  return new RegExp([...new Set([...starts, ...escapes])].join('|'), 'gi');
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

interface Found {
  start: number;
  end: number;
}

function findAt(text: string, start: number, forms: readonly Form[]): Found | undefined {
  // An escape rarely hides the start of a secret; one look is enough to tell.
  const known = listReadings(text, start);
  for (const form of forms) {
    if (!known.some(({ char }) => form.accepts(char, 0))) continue;
    const orders = form.isAmbiguous ? ORDERS : ORDERS.slice(0, 1);
    const end = orders.reduce<number | undefined>(
      (found, depths) => found ?? matchForm(text, start, form, depths),
      undefined,
    );
    if (end !== undefined) return form.around(text, { start, end });
  }
  return undefined;
}

/** How escapes are resolved: as many as there are or, for a secret that itself looks like escapes, fewer. */
const ORDERS: readonly (readonly number[])[] = [DEPTHS, DEPTHS.toReversed(), [1], [2]];

/** The character at a place, with all its escapes resolved and with fewer. */
function listReadings(text: string, at: number): DecodedChar[] {
  if (!INTRODUCERS.includes(text.charAt(at))) return [readEncoded(text, at, 0)].flatMap((each) => each ?? []);
  return DEPTHS.flatMap((depth) => readEncoded(text, at, depth) ?? []);
}

/** Where a form that begins there ends; also one that is cut off, if enough of it is there. */
function matchForm(text: string, start: number, form: Form, depths: readonly number[]): number | undefined {
  let index = 0;
  let at = start;
  while (index < form.text.length) {
    const char = text.charAt(at);
    // Most letters are not escaped.
    if (char !== '' && !INTRODUCERS.includes(char) && form.accepts(char, index)) {
      index += 1;
      at += 1;
      continue;
    }
    const reading = readNext(text, at, { form, index, depths });
    if (reading === undefined) return findPart(text, at, { form, index });
    index += reading.isSkipped ? 0 : reading.char.length;
    at = reading.end;
  }
  if (!form.alone) return at;
  return isWordAt(text, start - 1) || isWordAt(text, at) ? undefined : at;
}

interface Wanted {
  form: Form;
  index: number;
  depths: readonly number[];
}

function readNext(text: string, at: number, wanted: Wanted): (DecodedChar & { isSkipped: boolean }) | undefined {
  const { form, index, depths } = wanted;
  const isPlain = !INTRODUCERS.includes(text.charAt(at));
  for (const depth of isPlain ? PLAIN : depths) {
    const reading = readEncoded(text, at, depth);
    if (reading === undefined) return undefined;
    if (form.accepts(reading.char, index)) return { ...reading, isSkipped: false };
    if (index > 0 && form.skips.includes(reading.char)) return { ...reading, isSkipped: true };
  }
  return undefined;
}

const PLAIN = [0] as const;

/** An incomplete escape, and the sign that the rest is missing. */
const CUT = /(?:\\+(?:u[\da-f]{0,3}|x[\da-f]?)?|%[\da-f]?|&#?x?[\da-f]{0,6})?(?=…|\.\.\.)/iy;

/** Most of a secret counts as all of it: a URL may have been split at one of its letters. */
const LEAST_OF_MOST = 12;

function findPart(text: string, at: number, { form, index }: Pick<Wanted, 'form' | 'index'>): number | undefined {
  if (index >= Math.max(LEAST_OF_MOST, form.text.length / 2)) return at;
  return index >= form.telling ? findCut(text, at) : undefined;
}

function findCut(text: string, at: number): number | undefined {
  CUT.lastIndex = at;
  return CUT.test(text) ? CUT.lastIndex : undefined;
}

function isWordAt(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.charAt(at));
}
