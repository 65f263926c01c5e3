import { printExact } from './exact-json.js';

/** A line of a JSON body as shown, and the place in the body that it shows. */
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

interface Adding {
  lines: JsonLine[];
  depth: number;
  name: string;
  pointer: string;
  comma: string;
}

function add(value: unknown, at: Adding): void {
  const { lines, depth, name, pointer, comma } = at;
  if (lines.length >= MOST_LINES) return;
  const entries = listEntries(value);
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

function listEntries(value: unknown): [string, unknown][] | undefined {
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
}

/** The index of the line for a remark about a place: its own line, or that of the nearest existing value around it. */
export function findLine(lines: readonly JsonLine[], pointer: string): number {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = lines.findIndex((line) => line.pointer === at);
    if (found !== -1) return found;
  }
  return 0;
}
