// The texts that a run makes, by which it knows its records where nothing says their keys, and what became of each.
import { asObject } from '../../contract/document/plain.js';
import { printJson } from '../../contract/document/json.js';

export const NAME_PREFIX = 'cf';

export const COUNTED = 3;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A mark for the names of one run. A service may limit names (the gap `name-characters`), and lower those of hosts and mail boxes. */
export function createMark(randomLetter: () => number): string {
  return `${NAME_PREFIX}${Array.from({ length: 2 }, () => LETTERS[randomLetter() % 26]).join('')}`;
}

/** Where a run begins to count, since there are but 676 marks. What follows is more than any run makes, so that its names stay in order. */
export function drawStart(randomInt: (below: number) => number): number {
  return randomInt(20 * 26 ** 2);
}

export type MarkedField = { name: string; text: string };

export class RunTexts {
  /** Text that is part of every text that this run makes, and of no other. */
  readonly mark: string;
  readonly sent = new Map<string, number>();
  readonly taken = new Set<string>();
  /** Those with which a create was rejected, and that were never taken, by the operation that creates. */
  readonly rejected = new Map<string, string>();
  readonly #written = new Map<string, number>();
  readonly #used = new Set<string>();
  readonly #own = new Set<string>();
  readonly #foreign = new Set<string>();
  #named: number;

  constructor(mark: string, named = 0) {
    this.mark = mark;
    this.#named = named;
  }

  nextName(): string {
    const number = this.#named++;
    const counted = [26 * 26, 26, 1].map((each) => LETTERS[Math.floor(number / each) % 26]);
    return `${this.mark}${counted.join('')}`;
  }

  list(text: string): string[] {
    return text.match(new RegExp(`${this.mark}[a-z]{${COUNTED}}`, 'g')) ?? [];
  }

  listMarked(record: object): MarkedField[] {
    return Object.entries(record).flatMap(([name, text]: [string, unknown]) =>
      typeof text === 'string' && text.toLowerCase().includes(this.mark.toLowerCase()) ? [{ name, text }] : [],
    );
  }

  noteSent(body: string, times = 1): void {
    for (const text of this.list(body)) this.sent.set(text, (this.sent.get(text) ?? 0) + times);
  }

  noteWritten(resource: string, record: Readonly<Record<string, unknown>>): void {
    for (const text of this.#listLowered(printJson(record))) this.#own.add(text);
    for (const field of this.listMarked(record)) {
      this.#used.add(resource);
      const place = printField(resource, field);
      if (!this.#written.has(place)) this.#written.set(place, performance.now());
    }
  }

  noteShown(bytes: Uint8Array): void {
    for (const text of this.#listLowered(Buffer.from(bytes).toString('latin1')))
      if (!this.#own.has(text)) this.#foreign.add(text);
  }

  noteOutcome(
    { text, creates }: { text: string; creates: string | undefined },
    { body, status }: { body: unknown; status: number },
  ): void {
    const isSuccess = status >= 200 && status < 300;
    const isRejected = isSuccess ? isErrorBody(body) : status >= 400 && status < 500;
    for (const unique of this.list(text)) {
      if (isSuccess && !isRejected) this.taken.add(unique);
      else if (isRejected && creates !== undefined) this.rejected.set(unique, creates);
      // A name may be rejected the second time because it was taken the first.
      if (this.taken.has(unique)) this.rejected.delete(unique);
    }
  }

  isUsed(resource: string): boolean {
    return this.#used.has(resource);
  }

  /** Whether a response shows the fields of a record that was sent with other texts: then it shows another record. */
  isOther(sent: Readonly<Record<string, unknown>>, bytes: Uint8Array): boolean {
    const fields = this.listMarked(sent);
    const shown = Buffer.from(bytes).toString('latin1');
    const known = new Set(this.#listLowered(shown));
    const isValue = (rest: string): boolean => /^\s*:\s*(?!null\b)/.test(rest);
    const showsField = fields.some(({ name }) => shown.split(printJson(name)).slice(1).some(isValue));
    return showsField && !fields.some(({ text }) => this.#listLowered(text).some((each) => known.has(each)));
  }

  findWritten(resource: string, fields: readonly MarkedField[]): number | undefined {
    if (fields.some(({ text }) => this.#listLowered(text).some((each) => this.#foreign.has(each)))) return undefined;
    return fields.map((field) => this.#written.get(printField(resource, field))).find((at) => at !== undefined);
  }

  #listLowered(text: string): string[] {
    return (text.match(new RegExp(`${this.mark}[a-z]{${COUNTED}}`, 'gi')) ?? []).map((each) => each.toLowerCase());
  }
}

/** Services lower the case of names, and take away spaces around them; a lenient one takes fields in any case. */
function printField(resource: string, { name, text }: MarkedField): string {
  return JSON.stringify([resource, name.toLowerCase(), text.trim().toLowerCase()]);
}

/** What stands in fields of a body that is not JSON, as a lenient reader may take it. */
export function readLenientFields(body: Uint8Array): Record<string, string> {
  const text = Buffer.from(body).toString('utf8');
  const fields = [...text.matchAll(/["']([^"'\\]+)["']\s*:\s*["']([^"'\\]*)["']/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}

function isErrorBody(body: unknown): boolean {
  if (Array.isArray(body) && body.length === 1) return isErrorBody(body[0]);
  const members = asObject(body);
  return ['code', 'message', 'status'].every((field) => field in members) && !('id' in members);
}
