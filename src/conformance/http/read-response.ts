import { parseJson, parseJsonBytes, type JsonResult } from '../../contract/document/json.js';
import type { Answered, AnswerBody, WireAnswer } from '../model/exchange.js';

/** Several readers ask for the body of one response; a list of 100 records with int64 numbers takes a millisecond to parse. */
const bodies = new WeakMap<Answered, AnswerBody>();

export function readBody(answer: WireAnswer): AnswerBody {
  if (answer.kind === 'unanswered') return { kind: 'none' };
  const known = bodies.get(answer) ?? parseBody(answer);
  bodies.set(answer, known);
  return known;
}

export function readJson(answer: WireAnswer): unknown {
  const body = readBody(answer);
  return body.kind === 'json' ? body.value : undefined;
}

function parseBody({ bytes, cutOff, unlabelled }: Answered): AnswerBody {
  const parsed = parseAnswer(bytes);
  if (cutOff !== undefined) {
    const isWhole = parsed.ok && typeof parsed.value === 'object' && parsed.value !== null;
    return isWhole ? { kind: 'json', value: parsed.value } : { kind: 'cut-off' };
  }
  if (bytes.length === 0) return { kind: 'none' };
  if (!parsed.ok && parsed.problem.kind === 'too-deep') return { kind: 'too-deep', deepest: DEEPEST_ANSWER };
  // RFC 8259 section 8.1: a sender must not add one.
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const mark = hasMark ? 'a byte order mark before the JSON' : undefined;
  const encoding = unlabelled && `the bytes are ${unlabelled}, and no Content-Encoding says so`;
  const problem = encoding ?? (parsed.ok ? mark : parsed.problem.message);
  const value = parsed.ok ? parsed.value : repairJson(bytes);
  if (problem === undefined) return { kind: 'json', value };
  return value === undefined ? { kind: 'unreadable', problem } : { kind: 'json', value, problem };
}

/**
 * What was meant, where that is plain: JSON with something before or after it, commas too many, other quotation marks,
 * letters that it should have escaped, in another encoding, or one value a line. `NaN` is a text that says so. Nothing
 * is made up for what is missing; then, and for a page of HTML, `undefined`.
 */
export function repairJson(bytes: Uint8Array): unknown {
  const parsedBytes = parseJsonBytes(bytes);
  // Bytes that are no UTF-8 are most often Latin-1, or what contains it.
  const isUtf8 = parsedBytes.ok || parsedBytes.problem.kind !== 'not-utf8';
  const text = new TextDecoder(isUtf8 ? 'utf-8' : 'windows-1252').decode(bytes);
  const start = text.search(/[[{]/);
  if (start === -1 || /<(?:!doctype|html|head|body|script|\?xml)\b/i.test(text)) return undefined;
  const inner = text.slice(start, 1 + Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')));
  const lines = inner.split('\n').filter((line) => line.trim() !== '');
  const repaired = [inner, rewrite(inner), ...(lines.length > 1 ? [`[${lines.join(',')}]`] : [])];
  for (const each of repaired) {
    const parsed = each === undefined ? undefined : parseJson(each);
    if (parsed?.ok === true && typeof parsed.value === 'object' && parsed.value !== null) return parsed.value;
  }
  return undefined;
}

function rewrite(text: string): string | undefined {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? '';
    if (mark === '"' || mark === "'") {
      const end = findEnd(text, at);
      if (end === undefined) return undefined;
      const escaped = text.slice(at + 1, end).replace(/\\[^]|["\p{Cc}]/gu, (each) => {
        if (each === "\\'") return "'";
        return each.length > 1 ? each : JSON.stringify(each).slice(1, -1);
      });
      parts.push(`"${escaped}"`);
      at = end;
    } else if (/[-A-Z]/.test(mark)) {
      const [word = ''] =
        /^(?:None|True|False|NaN|-?Infinity)\b/.exec(text.slice(at, at + '-Infinity'.length + 1)) ?? [];
      parts.push(WORDS[word] ?? mark);
      at += Math.max(0, word.length - 1);
    } else if (mark !== ',' || !/^[}\]]$/.test(nextLetter(text, at + 1))) parts.push(mark);
  }
  return parts.join('');
}

const WORDS: Readonly<Record<string, string>> = {
  None: 'null',
  True: 'true',
  False: 'false',
  NaN: '"NaN"',
  Infinity: '"Infinity"',
  '-Infinity': '"-Infinity"',
};

function findEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[start] && /^[,:}\]]$/.test(nextLetter(text, at + 1))) return at;
  }
  return undefined;
}

function nextLetter(text: string, from: number): string {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at++;
  return text[at] ?? '';
}

/** How deep an answer may be nested: a limit of ours (RFC 8259 section 9), far from what any service needs, and no rule for the target. */
const DEEPEST_ANSWER = 1000;

export const parseAnswer = (bytes: Uint8Array): JsonResult => parseJsonBytes(bytes, DEEPEST_ANSWER);

/** The key of the record whose address an answer gives: the last segment of its path (RFC 9110 section 15.3.2). */
export function readLocationKey(location: string | undefined): string | undefined {
  const path = location
    ?.replace(/[?#].*$/s, '')
    .replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, '')
    .replace(/\/+$/, '');
  const segment = path?.split('/').at(-1);
  return segment === undefined || segment === '' ? undefined : readSegment(segment);
}

export function readSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
