/** One character of a text as a reader would decode it, and where the next one begins. */
export interface DecodedChar {
  char: string;
  end: number;
}

/** How deeply encodings nest: a key in a URL, in JSON, in a text within JSON. */
export const DEPTHS = [3, 2, 1, 0] as const;

export const INTRODUCERS = String.raw`\%&~`;

type Read = (at: number) => DecodedChar | undefined;

/**
 * Reads the character at a place, with up to this many nested escapes resolved: those of JSON,
 * JavaScript and C, URLs (RFC 3986 section 2.1), HTML and JSON Pointer (RFC 6901 section 3). What only looks
 * like an escape is read as it stands. `undefined` at the end of the text.
 */
export function readEncoded(text: string, at: number, depth: number): DecodedChar | undefined {
  if (at >= text.length) return undefined;
  if (depth === 0) return { char: text.charAt(at), end: at + 1 };
  const read: Read = (place) => readEncoded(text, place, depth - 1);
  const first = read(at);
  return first && (ESCAPES[first.char]?.(first.end, read) ?? first);
}

const ESCAPES: Readonly<Record<string, (at: number, read: Read) => DecodedChar | undefined>> = {
  '\\': readBackslash,
  '%': readPercent,
  '&': readEntity,
  '~': (at, read) => {
    const next = read(at);
    const char = next && { '0': '~', '1': '/' }[next.char];
    return char === undefined ? undefined : { char, end: next?.end ?? at };
  },
};

const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const OCTAL = /^[0-7]$/;
const HEX = /^[\da-f]$/i;

function readBackslash(at: number, read: Read): DecodedChar | undefined {
  const next = read(at);
  if (next === undefined) return undefined;
  const hex = next.char === 'u' ? readUnicode(next.end, read) : undefined;
  if (hex !== undefined) return hex;
  const short = next.char === 'x' ? readCode(next.end, read, { digits: HEX, radix: 16, least: 2, most: 2 }) : undefined;
  if (short !== undefined) return short;
  const octal = readCode(at, read, { digits: OCTAL, radix: 8, least: 3, most: 3 });
  return octal ?? { char: CONTROLS[next.char] ?? next.char, end: next.end };
}

/** `0053` or `{53}`, behind `\u`. */
function readUnicode(at: number, read: Read): DecodedChar | undefined {
  const brace = read(at);
  if (brace?.char !== '{') return readCode(at, read, { digits: HEX, radix: 16, least: 4, most: 4 });
  const code = readCode(brace.end, read, { digits: HEX, radix: 16, least: 1, most: 6 });
  const close = code && read(code.end);
  return code && close?.char === '}' ? { char: code.char, end: close.end } : undefined;
}

function readPercent(at: number, read: Read): DecodedChar | undefined {
  const first = readByte(at, read);
  if (first === undefined) {
    const next = read(at);
    return next?.char === 'u' ? readCode(next.end, read, { digits: HEX, radix: 16, least: 4, most: 4 }) : undefined;
  }
  const lead = first.char.charCodeAt(0);
  const bytes = [lead];
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
  let { end } = first;
  while (bytes.length < length) {
    const sign = read(end);
    const byte = sign?.char === '%' ? readByte(sign.end, read) : undefined;
    if (byte === undefined) break;
    bytes.push(byte.char.charCodeAt(0));
    end = byte.end;
  }
  const char = Buffer.from(bytes).toString('utf8');
  // Bytes that are not UTF-8 are read as Latin-1, one by one.
  return char.includes('\uFFFD') ? first : { char, end };
}

function readByte(at: number, read: Read): DecodedChar | undefined {
  return readCode(at, read, { digits: HEX, radix: 16, least: 2, most: 2 });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function readEntity(at: number, read: Read): DecodedChar | undefined {
  const first = read(at);
  if (first?.char === '#') {
    const second = read(first.end);
    const isHex = second?.char === 'x' || second?.char === 'X';
    const code = isHex
      ? readCode(second.end, read, { digits: HEX, radix: 16, least: 1, most: 6 })
      : readCode(first.end, read, { digits: /^\d$/, radix: 10, least: 1, most: 7 });
    return code && skipSemicolon(code, read);
  }
  let name = '';
  let end = at;
  for (let next = first; next !== undefined && name.length < 4 && /^[a-z]$/.test(next.char); next = read(end)) {
    name += next.char;
    end = next.end;
    const char = ENTITIES[name];
    if (char !== undefined) return skipSemicolon({ char, end }, read);
  }
  return undefined;
}

function skipSemicolon(code: DecodedChar, read: Read): DecodedChar {
  const next = read(code.end);
  return next?.char === ';' ? { char: code.char, end: next.end } : code;
}

interface Digits {
  digits: RegExp;
  radix: number;
  least: number;
  most: number;
}

function readCode(at: number, read: Read, { digits, radix, least, most }: Digits): DecodedChar | undefined {
  let text = '';
  let end = at;
  while (text.length < most) {
    const next = read(end);
    if (next === undefined || !digits.test(next.char)) break;
    text += next.char;
    end = next.end;
  }
  const code = Number.parseInt(text, radix);
  if (text.length < least || code > 0x10ffff) return undefined;
  return { char: String.fromCodePoint(code), end };
}
