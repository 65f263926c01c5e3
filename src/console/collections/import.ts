import { parseExact, printExact } from '../exact-json.js';
import { findOffset } from '../send/suggest.js';
import { readNumber, type Entry } from './draft.js';
import { listColumns, type Field } from './fields.js';

export type Imported =
  | { kind: 'pack'; text: string }
  | { kind: 'records'; records: Entry[]; placeOf: (index: number, pointer: string) => string };

/** A file that cannot be read, with its place: `people.csv:3:7: …`. */
class UnusableFile extends Error {}

export function readFile(name: string, text: string, fields: readonly Field[]): Imported {
  if (/\.(?:csv|tsv)$/i.test(name)) return readCsv(name, text, fields);
  if (!/\.json$/i.test(name)) return { kind: 'pack', text };
  // What is not JSON the mock refuses with line and column.
  const value = parseOr(text, undefined);
  if (!Array.isArray(value)) return { kind: 'pack', text };
  // `people.json:3:7`, both counted from 1: the place of the value at a pointer, or of the nearest one around it.
  const placeOf = (index: number, pointer: string): string => {
    const lines = text.slice(0, findOffset(text, `/${index}${pointer}`)).split('\n');
    return `${name}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
  };
  const wrong = value.findIndex((each) => typeof each !== 'object' || each === null || Array.isArray(each));
  if (wrong !== -1) throw new UnusableFile(`${placeOf(wrong, '')}: a record is a JSON object.`);
  return { kind: 'records', records: value as Entry[], placeOf };
}

function parseOr(text: string, otherwise: unknown): unknown {
  try {
    return parseExact(text);
  } catch {
    return otherwise;
  }
}

type Cell = { text: string; isQuoted: boolean; line: number; column: number };

/** Records by the names in the first line (RFC 4180), with values as the contract has them. An empty cell is left out. */
function readCsv(name: string, text: string, fields: readonly Field[]): Imported {
  const [head = [], ...rows] = readCells(name, text.replace(/^\uFEFF/, ''));
  if (head.length === 0) throw new UnusableFile(`${name}:1:1: the first line must have the names of the fields.`);
  const records = rows.map((row) => {
    const [extra] = row.slice(head.length);
    if (extra !== undefined)
      throw new UnusableFile(`${name}:${extra.line}:${extra.column}: the first line has no name for this value.`);
    const entries = row.flatMap((cell, index): [string, unknown][] => {
      const { text: named = '' } = head[index] ?? {};
      const field = fields.find((each) => each.name === named.trim());
      return cell.text === '' && !cell.isQuoted ? [] : [[named.trim(), readCell(cell.text, field)]];
    });
    return Object.fromEntries(entries);
  });
  const placeOf = (index: number, pointer: string): string => {
    const [, property = ''] = pointer.split('/');
    const column = head.findIndex((each) => each.text.trim() === property);
    const cell = rows[index]?.[column] ?? rows[index]?.[0];
    return `${name}:${cell?.line ?? 1}:${cell?.column ?? 1}`;
  };
  return { kind: 'records', records, placeOf };
}

function readCell(text: string, field: Field | undefined): unknown {
  if (field?.kind === 'text') return text;
  if (field?.kind === 'choice') return field.choices.find((choice) => show(choice) === text) ?? text;
  if (field?.kind === 'json') return parseOr(text, text);
  // Of a field that the contract does not have, a number is a number.
  return readNumber(text.trim());
}

const show = (value: unknown): string => (typeof value === 'string' ? value : printExact(value));

function readCells(name: string, text: string): Cell[][] {
  const [first = ''] = text.split('\n', 1);
  const [separator = ','] = [',', ';', '\t'].toSorted(
    (one, other) => first.split(other).length - first.split(one).length,
  );
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let [line, start, at] = [1, 0, 0];
  while (at < text.length) {
    const cell: Cell = { text: '', isQuoted: text[at] === '"', line, column: at - start + 1 };
    if (cell.isQuoted) {
      at += 1;
      for (; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at += 1) {
        if (text[at] === '"') at += 1;
        if (text[at] === '\n') [line, start] = [line + 1, at + 1];
        cell.text += text[at];
      }
      if (at >= text.length) throw new UnusableFile(`${name}:${cell.line}:${cell.column}: this quote is not closed.`);
      at += 1;
    }
    const end = Math.min(
      ...[text.indexOf(separator, at), text.indexOf('\n', at)].map((found) => (found < 0 ? text.length : found)),
    );
    cell.text += text.slice(at, end).replace(/\r$/, '');
    row.push(cell);
    at = end + 1;
    if (text[end] === separator) {
      // A line that ends with a separator ends with an empty cell.
      if (end === text.length - 1) row.push({ text: '', isQuoted: false, line, column: at - start + 1 });
      continue;
    }
    if (row.length > 1 || row[0]?.text !== '') rows.push(row);
    [row, line, start] = [[], line + 1, at];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

/** Records as CSV (RFC 4180), with the columns of the table. Lists and objects are written as JSON. */
export function writeCsv(records: readonly Entry[], fields: readonly Field[]): string {
  const columns = listColumns(fields, records);
  const lines = records.map((record) =>
    columns.map((name) => (record[name] === undefined ? '' : quote(show(record[name]), record[name] === ''))),
  );
  return [columns.map((name) => quote(name, false)), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** An empty text is quoted, since an empty cell is a field that is left out. */
const quote = (text: string, isText: boolean): string =>
  isText || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
