/** What a reviver learns about a number besides its value (ECMAScript, JSON.parse source text access). */
type Source = { source?: string };
type Reviver = (this: unknown, name: string, value: unknown, context?: Source) => unknown;

/** Reads JSON with exact numbers: a `bigint` past 2^53, a function that gives the text of what no `double` holds. */
export function parseExact(text: string): unknown {
  const revive: Reviver = (_name, value, context) => {
    const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
    const source = context?.source ?? '';
    if (isRounded && /^-?\d+$/.test(source)) return BigInt(source);
    return source !== '' && typeof value === 'number' && losesDigits(value, source) ? () => source : value;
  };
  return JSON.parse(text, revive);
}

/** Why something failed, in words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const DIGITS_OF_A_DOUBLE = 17;

function losesDigits(value: number, source: string): boolean {
  const digits = source
    .replace(/e.*$/i, '')
    .replaceAll(/[-.]/g, '')
    .replaceAll(/^0+|0+$/g, '');
  return !Number.isFinite(value) || (value === 0 && digits !== '') || digits.length > DIGITS_OF_A_DOUBLE;
}

/** Prints what {@link parseExact} reads, indented when `indent` is given. */
export const printExact = (value: unknown, indent = ''): string => print(value, { indent, depth: 0 });

function print(value: unknown, at: { indent: string; depth: number }): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function') return (value as () => string)();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = { ...at, depth: at.depth + 1 };
  const colon = at.indent === '' ? ':' : ': ';
  const items = Array.isArray(value)
    ? value.map((each) => print(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}${colon}${print(each, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return `${open}${close}`;
  if (at.indent === '') return `${open}${items.join(',')}${close}`;
  const margin = `\n${at.indent.repeat(at.depth)}`;
  return `${open}${margin}${at.indent}${items.join(`,${margin}${at.indent}`)}${margin}${close}`;
}

export interface JsonLine {
  depth: number;
  /** `"name": `, or nothing. */
  name: string;
  text: string;
  /** JSON Pointer (RFC 6901) of the value that begins here; `undefined` where one ends. */
  pointer: string | undefined;
}

const MOST_LINES = 2000;

/** A value as lines, so that each place in it can be marked. */
export function toLines(value: unknown): JsonLine[] {
  const lines: JsonLine[] = [];
  add(value, { lines, depth: 0, name: '', pointer: '', comma: '' });
  return lines;
}

type Adding = { lines: JsonLine[]; depth: number; name: string; pointer: string; comma: string };

function add(value: unknown, at: Adding): void {
  const { lines, depth, name, pointer, comma } = at;
  if (lines.length >= MOST_LINES) return;
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
  if (entries === undefined || entries.length === 0) {
    lines.push({ depth, name, text: `${printExact(value)}${comma}`, pointer });
    return;
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  lines.push({ depth, name, text: open, pointer });
  for (const [index, [key, each]] of entries.entries()) {
    add(each, {
      lines,
      depth: depth + 1,
      name: Array.isArray(value) ? '' : `${JSON.stringify(key)}: `,
      pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      comma: index === entries.length - 1 ? '' : ',',
    });
  }
  const isCut = lines.length >= MOST_LINES;
  lines.push({ depth, name: '', text: isCut ? '…' : `${close}${comma}`, pointer: undefined });
}

export function findLine(lines: readonly JsonLine[], pointer: string): number {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = lines.findIndex((line) => line.pointer === at);
    if (found !== -1) return found;
  }
  return 0;
}
