import { DEPTHS, INTRODUCERS, readEncoded, type DecodedChar } from './read-encoded.js';

export interface Redactor {
  (text: string): string;
  /** The first characters of a text, this many, without its secrets; one across the cut is removed completely. */
  head(text: string, length: number): string;
  /** How much more text than the head is needed to recognise a secret across the cut. */
  reach: number;
}

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
    let searches: Search[] | undefined;
    for (let hit = start.exec(text); hit !== null && hit.index < length; hit = start.exec(text)) {
      searches ??= forms.map((form) => ({ form, text, dead: new Set() }));
      const found = findAt(hit.index, searches);
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
  const starts = forms.map((form) => {
    const [first, second, third] = [0, 1, 2].map((index) => createLetterPattern(form, index));
    const between = `[${escapeForPattern(INTRODUCERS + form.skips)}]`;
    return `${first}(?=${between}|${second}(?:${between}|${third}))`;
  });
  const firsts = forms.map((form) => createLetterPattern(form, 0)).join('|');
  const escapes = [
    String.raw`\\(?=[ux0-7${escapeForPattern(INTRODUCERS)}]|${firsts})`,
    '%(?=[\\da-fu])',
    '&(?=[#algq])',
    '~(?=[01])',
  ];
  return new RegExp([...new Set([...starts, ...escapes])].join('|'), 'gi');
}

/** Signs that may stand for a letter of another kind: of base64url, or of a form of HTML. */
const STAND_INS = '+-/_ ';

function createLetterPattern(form: Form, index: number): string {
  const letter = form.text.charAt(index);
  if (letter === '') return '';
  const signs = STAND_INS.split('').filter((sign) => sign !== letter && form.accepts(sign, index));
  return signs.length === 0 ? escapeForPattern(letter) : `[${escapeForPattern([letter, ...signs].join(''))}]`;
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

interface Search {
  form: Form;
  text: string;
  /** Escapes from which no way led to an end, by {@link nameOf}: a text of nothing else is not read again and again. */
  dead: Set<number>;
}

interface Found {
  start: number;
  end: number;
}

function findAt(start: number, searches: readonly Search[]): Found | undefined {
  // An escape rarely hides the start of a secret; one look is enough to tell.
  const known = listReadings(searches[0]?.text ?? '', start);
  for (const search of searches) {
    if (!known.some(({ char }) => search.form.accepts(char, 0))) continue;
    const end = matchForm(start, search);
    if (end !== undefined) return search.form.around(search.text, { start, end });
  }
  return undefined;
}

function listReadings(text: string, at: number): DecodedChar[] {
  if (at >= text.length) return [];
  if (!INTRODUCERS.includes(text.charAt(at))) return [{ char: text.charAt(at), end: at + 1 }];
  return DEPTHS.flatMap((depth) => readEncoded(text, at, depth) ?? []);
}

interface Place {
  at: number;
  index: number;
}

/**
 * Where a form that begins there ends; also one that is cut off, if enough of it is there. A secret may itself look
 * like escapes in part, so every way to read them is followed, and the longest counts.
 */
function matchForm(start: number, search: Search): number | undefined {
  const ends: number[] = [];
  const passed: number[] = [];
  let places: Place[] = [skipPlainLetters(start, search)];
  while (places.length > 0) {
    passed.push(...places.flatMap((place) => (isEscape(place, search) ? nameOf(place, search) : [])));
    const read = places.flatMap((place) => readOn(place, search));
    ends.push(...read.flatMap((place) => findWholeEnd(start, place, search) ?? []));
    if (read.length === 0) ends.push(...places.flatMap((place) => findPart(place, search) ?? []));
    places = leaveOut(
      read.filter(({ index }) => index < search.form.text.length),
      search,
    );
  }
  if (ends.length > 0) return Math.max(...ends);
  for (const name of passed) search.dead.add(name);
  return undefined;
}

function skipPlainLetters(start: number, { form, text }: Search): Place {
  let index = 0;
  while (index < form.text.length - 1 && isPlainLetter(text.charAt(start + index), index, form)) index += 1;
  return { at: start + index, index };
}

function isPlainLetter(char: string, index: number, form: Form): boolean {
  return char !== '' && !INTRODUCERS.includes(char) && form.accepts(char, index);
}

function readOn({ at, index }: Place, { form, text }: Search): Place[] {
  return listReadings(text, at).flatMap(({ char, end }) => {
    if (form.accepts(char, index)) return [{ at: end, index: index + char.length }];
    return index > 0 && form.skips.includes(char) ? [{ at: end, index }] : [];
  });
}

function findWholeEnd(start: number, place: Place, { form, text }: Search): number | undefined {
  if (place.index < form.text.length) return undefined;
  return form.alone && (isWordAt(text, start - 1) || isWordAt(text, place.at)) ? undefined : place.at;
}

function leaveOut(places: readonly Place[], search: Search): Place[] {
  if (places.length === 1 && search.dead.size === 0) return [...places];
  const distinct = new Map(places.map((place) => [nameOf(place, search), place]));
  return [...distinct].flatMap(([name, place]) => (search.dead.has(name) ? [] : place));
}

function isEscape({ at }: Place, { text }: Search): boolean {
  return INTRODUCERS.includes(text.charAt(at));
}

function nameOf({ at, index }: Place, { form }: Search): number {
  return at * form.text.length + index;
}

/** An incomplete escape, and the sign that the rest is missing. */
const CUT = /(?:\\{1,8}(?:u[\da-f]{0,3}|x[\da-f]?)?|%[\da-f]?|&#?x?[\da-f]{0,6})?(?=…|\.\.\.)/iy;

/** Most of a secret counts as all of it: a URL may have been split at one of its letters. */
const LEAST_OF_MOST = 12;

function findPart({ at, index }: Place, { form, text }: Search): number | undefined {
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

/** One way in which a text may contain a secret, apart from escapes. */
export interface Form {
  text: string;
  /** Whether a letter of the text matches the one at this place of the form. */
  accepts(char: string, index: number): boolean;
  /** What may stand between its letters. */
  skips: string;
  /** This many of its letters reveal the secret if the rest is cut off. */
  telling: number;
  /** Whether it counts as the secret only if no letter or digit is next to it. */
  alone: boolean;
  /** What must be removed with it. */
  around(text: string, found: { start: number; end: number }): { start: number; end: number };
}

/** Characters without a shape, which a service may put between the letters of what it sends back. */
const SHAPELESS = [
  '\u00AD\u034F\u061C\u180E\u200B\u200C\u200D\u200E\u200F\u2060\u2061\u2062\u2063\u2064\uFEFF',
  ...Array.from({ length: 16 }, (_, index) => String.fromCharCode(0xfe00 + index)),
].join('');

/** A shorter secret counts only as a word of its own; otherwise the secret `a` would black out a text. */
const LONG_ENOUGH = 6;

/** The forms of a secret: as it is, as bytes read in another character set, in Base64 and in hex. */
export function listForms(secret: string): Form[] {
  const bytes = Buffer.from(secret, 'utf8');
  const plain = new Set([secret, bytes.toString('latin1'), Buffer.from(secret, 'latin1').toString('utf8')]);
  const forms = [...plain].map((text) => createPlainForm(text, secret.length < LONG_ENOUGH));
  if (secret.length < LONG_ENOUGH) return forms;
  return [...forms, createHexForm(bytes), ...[0, 1, 2].map((offset) => createBase64Form(bytes, offset))];
}

function createPlainForm(text: string, alone: boolean): Form {
  const lower = text.toLowerCase();
  // A few letters have no lower case of the same length.
  const wanted = lower.length === text.length ? lower : text;
  return {
    text,
    accepts: (char, index) => wanted.startsWith(char.toLowerCase(), index) || isSpaceOfForm(char, wanted.charAt(index)),
    skips: SHAPELESS,
    telling: 4,
    alone,
    around: (_, found) => found,
  };
}

/** HTML forms write a space as a plus, and their readers read a plus as a space. */
function isSpaceOfForm(char: string, wanted: string): boolean {
  return (char === '+' && wanted === ' ') || (char === ' ' && wanted === '+');
}

function createHexForm(bytes: Buffer): Form {
  const text = bytes.toString('hex');
  return {
    text,
    accepts: (char, index) => text.startsWith(char.toLowerCase(), index),
    skips: `: ${SHAPELESS}`,
    telling: 8,
    alone: false,
    around: (_, found) => found,
  };
}

const BASE64_LETTER = /[\w+/-]/;

/** The letters of Base64 or base64url that depend only on the secret, after this many other bytes (RFC 4648). */
function createBase64Form(bytes: Buffer, offset: number): Form {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
  const first = Math.ceil((offset * 8) / 6);
  const text = whole.toString('base64url').slice(first, Math.floor((whole.length * 8) / 6));
  return {
    text,
    accepts: (char, index) => text.charAt(index) === (URL_LETTERS[char] ?? char),
    skips: `\r\n${SHAPELESS}`,
    telling: 6,
    alone: false,
    // The adjacent letters contain bits of the secret too.
    around: (of, { start, end }) => ({
      start: BASE64_LETTER.test(of.charAt(start - 1)) ? start - 1 : start,
      end: BASE64_LETTER.test(of.charAt(end)) ? end + 1 : end,
    }),
  };
}

const URL_LETTERS: Readonly<Record<string, string>> = { '+': '-', '/': '_' };

const SECRET_NAME = /auth(?!ors?$)|key|token|secret|cookie|passw|passphrase|pwd|credential|session|signature|jwt/i;
const PUBLIC_NAMES: ReadonlySet<string> = new Set(['www-authenticate', 'proxy-authenticate', 'idempotency-key']);

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !PUBLIC_NAMES.has(name.toLowerCase());
}

const SECRET_PARAMETER =
  /([?&;](?:api[-_]?key|key|(?:access|auth|id|refresh)?[-_]?token|authorization|auth|secret|password)=)[^&;\s"]+/gi;

/** Removes these secrets from any text, and the values of query parameters with names of secrets. */
export function createRequestRedactor(secrets: readonly string[]): (text: string) => string {
  const redact = createRedactor(secrets);
  return (text) => redact(text.includes('=') ? text.replace(SECRET_PARAMETER, `$1${PLACEHOLDER}`) : text);
}

type Change = (text: string) => string;

interface Rules {
  own: ReadonlySet<string>;
  names: boolean;
  /** Whether to look at numbers too; one that would change is removed. */
  numbers: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** Changes every text within a value, except in properties with `own` names. Unchanged parts are not copied. */
export function mapTexts<T>(value: T, change: Change, own: ReadonlySet<string> = NONE): T {
  return mapValue(value, change, { own, names: false, numbers: false }) as T;
}

/** {@link mapTexts}, of the names of properties too. */
export function mapAllTexts<T>(value: T, change: Change): T {
  return mapValue(value, change, { own: NONE, names: true, numbers: false }) as T;
}

/** Removes the secrets from a value that somebody sent: in texts, names of properties and numbers. */
export function redactAll<T>(value: T, redact: Change): T {
  return mapValue(value, redact, { own: NONE, names: true, numbers: true }) as T;
}

/** A number of many digits is `typeof 'function'` (`Decimal`), and no value that is sent is a function. */
const NUMBERS: ReadonlySet<string> = new Set(['number', 'bigint', 'function']);

function mapValue(value: unknown, change: Change, rules: Rules): unknown {
  if (typeof value === 'string') return change(value);
  if (rules.numbers && NUMBERS.has(typeof value)) return change(String(value)) === String(value) ? value : PLACEHOLDER;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapValue(item, change, rules));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  return mapEntries(value, change, rules);
}

function mapEntries(value: object, change: Change, rules: Rules): object {
  let isSame = true;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => {
    if (rules.own.has(name)) return [name, item];
    const mapped: [string, unknown] = [rules.names ? change(name) : name, mapValue(item, change, rules)];
    isSame &&= mapped[0] === name && mapped[1] === item;
    return mapped;
  });
  return isSame ? value : Object.fromEntries(entries);
}
