import { toLines } from '../exact-json.js';
import type { Exchange, Message, Row } from '../types.js';

export type ComparedPart = { name: string; lines: DiffLine[]; isSame: boolean };

export function compareParts(first: Exchange, second: Exchange): ComparedPart[] {
  const compare = (name: string, read: (exchange: Exchange) => string[]): ComparedPart => {
    const lines = diffLines(read(first), read(second));
    return { name, lines, isSame: lines.every(({ of }) => of === 'both') };
  };
  return [
    compare('Request', ({ method, url }) => [`${method} ${url}`]),
    compare('Header fields of the request', ({ request }) => writeFields(request)),
    compare('Body of the request', ({ request }) => writeBody(request)),
    compare('Status', ({ status }) => [status === 0 ? 'the connection was reset' : String(status)]),
    compare('Reason', ({ reason }) => (reason === undefined ? [] : reason.split('; '))),
    compare('Header fields of the response', ({ response }) => writeFields(response)),
    compare('Body of the response', ({ response }) => writeBody(response)),
  ];
}

function writeFields({ headers }: Message): string[] {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted();
}

const MOST_LINES = 2000;

/** Without the commas at the ends of lines, since only the last one in a list has none. */
function writeBody({ body, bodyOmitted }: Message): string[] {
  if (bodyOmitted) return ['a body that was not stored'];
  if (body === undefined) return [];
  if (typeof body === 'string') return body.split('\n').slice(0, MOST_LINES);
  return toLines(body).map(({ depth, name, text }) => `${'  '.repeat(depth)}${name}${text.replace(/,$/, '')}`);
}

export function pickOther(rows: readonly Row[], id: number): number | undefined {
  const at = rows.findIndex((row) => row.id === id);
  const others = rows.filter((row) => row.id !== id);
  const before = rows.slice(0, Math.max(at, 0)).toReversed();
  const operation = rows[at]?.operationId;
  const like = [...before, ...others.toReversed()].find((row) => row.operationId === operation);
  return (like ?? before[0] ?? others[0])?.id;
}

export type DiffLine = { of: 'first' | 'second' | 'both'; text: string };

/** The lines of two texts with the fewest that only one has: what a longest common subsequence leaves over. */
export function diffLines(first: readonly string[], second: readonly string[]): DiffLine[] {
  const shorter = Math.min(first.length, second.length);
  let start = 0;
  while (start < shorter && first[start] === second[start]) start += 1;
  let end = 0;
  while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
  return [
    ...mark(first.slice(0, start), 'both'),
    ...diffMiddle(first.slice(start, first.length - end), second.slice(start, second.length - end)),
    ...mark(first.slice(first.length - end), 'both'),
  ];
}

const mark = (lines: readonly string[], of: DiffLine['of']): DiffLine[] => lines.map((text) => ({ of, text }));

function diffMiddle(first: readonly string[], second: readonly string[]): DiffLine[] {
  if (first.length === 0 || second.length === 0) return [...mark(first, 'first'), ...mark(second, 'second')];
  const width = second.length + 1;
  // How many lines the rests of both have in common, from each place in one and each in the other.
  const common = new Uint16Array((first.length + 1) * width);
  for (let a = first.length - 1; a >= 0; a -= 1) {
    for (let b = second.length - 1; b >= 0; b -= 1) {
      const at = a * width + b;
      const [below = 0, right = 0, across = 0] = [common[at + width], common[at + 1], common[at + width + 1]];
      common[at] = first[a] === second[b] ? across + 1 : Math.max(below, right);
    }
  }
  const lines: DiffLine[] = [];
  let [a, b] = [0, 0];
  while (a < first.length && b < second.length) {
    const at = a * width + b;
    if (first[a] === second[b]) {
      lines.push({ of: 'both', text: first[a] ?? '' });
      a += 1;
      b += 1;
    } else if ((common[at + width] ?? 0) >= (common[at + 1] ?? 0)) {
      lines.push({ of: 'first', text: first[a] ?? '' });
      a += 1;
    } else {
      lines.push({ of: 'second', text: second[b] ?? '' });
      b += 1;
    }
  }
  return [...lines, ...mark(first.slice(a), 'first'), ...mark(second.slice(b), 'second')];
}

export function foldSame(lines: readonly DiffLine[], around = 3): (DiffLine | number)[] {
  const near = new Set<number>();
  for (const [index, { of }] of lines.entries()) {
    if (of === 'both') continue;
    for (let at = index - around; at <= index + around; at += 1) near.add(at);
  }
  const folded: (DiffLine | number)[] = [];
  for (const [index, line] of lines.entries()) {
    const last = folded.at(-1);
    if (near.has(index)) folded.push(line);
    else if (typeof last === 'number') folded[folded.length - 1] = last + 1;
    else folded.push(1);
  }
  return folded;
}
