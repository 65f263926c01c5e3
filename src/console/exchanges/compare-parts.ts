import { toLines } from '../json-lines.js';
import type { Exchange, Message, Row } from '../types.js';
import { diffLines, type DiffLine } from './diff.js';

/** A part of two exchanges, line by line. */
export interface ComparedPart {
  name: string;
  lines: DiffLine[];
  isSame: boolean;
}

/** Two exchanges, part by part: what was asked, and what was answered. */
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

/** What an exchange is compared with first: the last before it of the same operation, or else its neighbour. */
export function pickOther(rows: readonly Row[], id: number): number | undefined {
  const at = rows.findIndex((row) => row.id === id);
  const others = rows.filter((row) => row.id !== id);
  const before = rows.slice(0, Math.max(at, 0)).toReversed();
  const operation = rows[at]?.operationId;
  const like = [...before, ...others.toReversed()].find((row) => row.operationId === operation);
  return (like ?? before[0] ?? others[0])?.id;
}
