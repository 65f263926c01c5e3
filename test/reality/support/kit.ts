// What the seven services share: a table of records with a sequence, and how a request is read and answered. Each service
// decides everything else, as programs of different makers do.
import { packageFile } from '../../../src/package-files.js';
import { serveJson, type Answer, type Asked, type Item } from '../../support/network/serve-json.js';

export type { Answer, Asked, Item };

export type Service = { tables: Readonly<Record<string, Table>>; answer: (asked: Asked) => Answer };

/** Whether a service has a habit: a legal one, or a defect. */
export type Has = (habit: string) => boolean;

/** A program that somebody else wrote, as its users meet it. */
export interface Program {
  name: string;
  base: string;
  apiKey: string;
  /** What its users would give by `--parameter`. */
  parameter?: string[];
  /** Whether its users give records of their own (`--records`), in a file beside its document. */
  hasRecords?: boolean;
  /** What it may do otherwise, beyond what each program may. */
  habits: readonly string[];
  /** Set where its document has nothing that removes some of what can be made. */
  hasLasting?: true;
  start: (has: Has) => Service;
}

export type Started = { url: string; service: Service; close: () => Promise<void> };

/** The document that its team wrote, or another file beside it. */
export const fileOf = ({ name }: Program, kind: 'openapi' | 'records'): string =>
  packageFile(`test/reality/services/${name}.${kind}.yaml`);

/** Of each program: readers are behind, or JSON is labelled with a charset, which has no effect there (RFC 8259, section 11). */
const SHARED_HABITS = ['late', 'latin-label'];

/** Starts a program with some habits. */
export async function startProgram(program: Program, habits: readonly string[]): Promise<Started> {
  const { name, base, start } = program;
  const known = new Set([...SHARED_HABITS, ...program.habits]);
  const check = (habit: string): void => {
    if (!known.has(habit)) throw new Error(`${name} has no habit ${habit}`);
  };
  habits.forEach(check);
  const service = start((habit) => {
    check(habit);
    return habits.includes(habit);
  });
  const type = habits.includes('latin-label') ? 'application/json; charset=iso-8859-1' : 'application/json';
  const { url, close } = await serveJson((asked) => {
    const parts = asked.parts.filter((part) => part !== '');
    const answer = service.answer({ ...asked, parts });
    return answer.body === undefined ? answer : { ...answer, headers: { 'Content-Type': type, ...answer.headers } };
  }, base);
  return { url, service, close };
}

/** Records by their key as text, in the order of their creation. */
export interface Table {
  /** What is so. */
  rows: Map<string, Item>;
  /** What readers are shown: some time later where the table lags. */
  shown: Map<string, Item>;
  /** The next of the sequence, for a record that is made now. */
  take: () => number;
  /** What databases do with a key that a client chose. */
  raise: (key: number) => void;
  /** How far the sequence is beyond what was taken of it, one by one. */
  moved: () => number;
  put: (key: unknown, row: Item) => Item;
  remove: (key: unknown) => boolean;
  /** Whether nobody would call it a record any more: what was expired or archived. */
  isGone: (row: Item) => boolean;
}

type TableSettings = { lagMs?: number; isGone?: (row: Item) => boolean };

/** How long a replica is behind. */
export const LAG_MS = 300;

/** A table that has its owner's records already. */
export function createTable(owned: Readonly<Record<string, Item>>, settings: TableSettings = {}): Table {
  const { lagMs = 0, isGone = () => false } = settings;
  const rows = new Map(Object.entries(structuredClone(owned)));
  const shown = lagMs === 0 ? rows : new Map(rows);
  const first = rows.size + 1;
  let [next, taken] = [first, 0];
  const show = (change: () => void): void => {
    if (lagMs > 0) setTimeout(change, lagMs).unref();
  };
  return {
    rows,
    shown,
    isGone,
    take: () => {
      taken += 1;
      next += 1;
      return next - 1;
    },
    raise: (key) => {
      next = Math.max(next, key + 1);
    },
    moved: () => next - first - taken,
    put: (key, row) => {
      rows.set(String(key), row);
      show(() => shown.set(String(key), row));
      return row;
    },
    remove: (key) => {
      show(() => shown.delete(String(key)));
      return rows.delete(String(key));
    },
  };
}

/** What a service has at hand: its tables, its habits, and what is true at each twelfth call. */
export type Kept<Name extends string> = Readonly<Record<Name, Table>> & { has: Has; isTwelfth: () => boolean };

/** A service of these tables, or of tables with these records, which readers are shown later where it is `late`. */
export function keepTables<Name extends string>(
  has: Has,
  owned: Readonly<Record<Name, Table | Readonly<Record<string, Item>>>>,
  answer: (service: Kept<Name>, asked: Asked) => Answer,
): Service {
  const made = Object.entries<Table | Readonly<Record<string, Item>>>(owned).map(([name, given]) => [
    name,
    isTable(given) ? given : createTable(given, { lagMs: has('late') ? LAG_MS : 0 }),
  ]);
  const tables = Object.fromEntries(made) as Record<Name, Table>;
  const service = { ...tables, has, isTwelfth: every(12) };
  return { tables, answer: (asked) => answer(service, asked) };
}

function isTable(given: Table | Readonly<Record<string, Item>>): given is Table {
  return given['rows'] instanceof Map;
}

/** Many records of an owner, by their numbers from 1. */
export function ownRecords(count: number, make: (number: number) => Item): Record<string, Item> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return Object.fromEntries(numbers.map((number) => [String(number), make(number)]));
}

const TIME = /^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** A time of RFC 3339, as the libraries read it that these programs have: no month has more days than it has. */
export function isTime(value: unknown): value is string {
  const day = typeof value === 'string' ? TIME.exec(value)?.[1] : undefined;
  const midnight = day === undefined ? NaN : Date.parse(`${day}T00:00:00Z`);
  return day !== undefined && !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}

/** Whether it is an object, which a body is in most requests. */
export const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True at each so many calls. */
export function every(count: number): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % count === 0;
  };
}

/** `undefined` if it was not sent, `NaN` if it is no whole number. */
export function readWhole(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
}
