import type { Contract } from '../../../../src/contract/contract.js';
import { asObject } from '../../../../src/contract/document/plain.js';
import { resolveAt } from '../../../../src/contract/document/references.js';
import { readProperties } from '../../../../src/contract/operations/properties.js';
import type { Kept } from '../../../../src/mock/store/kept.js';

type Row = Readonly<Record<string, unknown>>;

/** A column of a list: the values of one property in all records that have it. */
type Column = { name: string; schema: Readonly<Record<string, unknown>>; values: readonly unknown[] };

/** Fewer records prove no column constant. */
const LEAST = 6;

const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)/;
const TIME_WORDS = /(?:^|[a-z]_|_)(?:date|time|timestamp|until|since|from|to|starts?|ends?|deadline|birthday|dob|expir\w+|created|updated|modified|utc|datetime)$|date_\w+$|[a-z]_(?:at|on)$|last_\w+$/; // prettier-ignore

/** Each rule that no list may break: what is wrong with these records, in words. */
export function judgeList(rows: readonly Row[], kept: Kept, contract: Contract): string[] {
  const columns = readProperties(contract.document, kept.schemaPointer).map(({ name, schemaPointer }): Column => {
    const schema = asObject(resolveAt(contract.document, schemaPointer).value);
    return {
      name,
      schema,
      values: rows.map((row) => row[name]).filter((value) => value !== undefined && value !== null),
    };
  });
  return [
    ...columns.flatMap((column) =>
      RULES.filter(([, breaks]) => breaks(column)).map(([rule]) => `${column.name}: ${rule}`),
    ),
    ...rows.flatMap(findUnordered),
    ...(isRepeated(rows, kept.key?.property) ? [`${kept.key?.property ?? ''}: a key twice`] : []),
  ];
}

const RULES: readonly (readonly [rule: string, breaks: (column: Column) => boolean])[] = [
  ['a time where none is meant', isOddTime],
  ['a constant column of free numbers', isConstant],
  ['"string" where the name says more', ({ values }) => values.some((value) => /^\d*string$/.test(String(value)))],
  ['an empty text', ({ schema, values }) => schema['enum'] === undefined && values.includes('')],
  ['a ratio outside of 0 to 1', ({ name, schema, values }) => /ratio$/i.test(name) && schema['type'] === 'number' && values.some((value) => Number(value) > 1)], // prettier-ignore
];

/** `startsAt` and `starts-at` as `starts_at`. */
function snake(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/[^A-Za-z\d]+/g, '_').toLowerCase(); // prettier-ignore
}

function isOddTime({ name, schema, values }: Column): boolean {
  if (values.length === 0 || TIME_WORDS.test(snake(name))) return false;
  if (/date|time/.test(String(schema['format'])) || ISO.test(String(schema['example'] ?? schema['default'])))
    return false;
  const isEpoch = (value: unknown): boolean => typeof value === 'number' && value > 1.5e9 && value < 2e9;
  return values.every((value) => (typeof value === 'string' ? ISO.test(value) : isEpoch(value)));
}

function isConstant({ schema, values }: Column): boolean {
  const { type, minimum, maximum } = schema;
  if (values.length < LEAST || schema['enum'] !== undefined || schema['const'] !== undefined) return false;
  const isFree = (type === 'number' || type === 'integer') && (minimum === undefined || minimum !== maximum);
  return isFree && new Set(values).size === 1;
}

const PAIRS = [['start', 'end'], ['starts', 'ends'], ['from', 'until'], ['from', 'to'], ['created', 'updated'], ['opens', 'closes'], ['min', 'max']] as const; // prettier-ignore

/** Times, hours and numbers, but no telephone numbers. */
const COMPARED = /^\d{4}-\d\d-\d\d|^\d\d:\d\d|^-?\d+(?:\.\d+)?$/;

function findUnordered(row: Row): string[] {
  const named = new Map(Object.entries(row).map(([name, value]) => [snake(name), { name, value }]));
  return [...named].flatMap(([name, low]) =>
    PAIRS.flatMap(([first, last]) => {
      const words = name.split('_');
      const high = words.includes(first)
        ? named.get(words.map((word) => (word === first ? last : word)).join('_'))
        : undefined;
      const isComparable = typeof low.value === typeof high?.value && COMPARED.test(String(low.value));
      const isBefore = isComparable && (high?.value as string) < (low.value as string);
      return isBefore ? [`${low.name}: after ${high?.name ?? ''}`] : [];
    }),
  );
}

function isRepeated(rows: readonly Row[], key: string | undefined): boolean {
  return key !== undefined && new Set(rows.map((row) => row[key])).size < rows.length;
}
