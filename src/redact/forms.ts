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
