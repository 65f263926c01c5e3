// The texts of a run's own in the records that it writes, by which it finds them where nothing says their keys.
import { printJson } from '../../contract/document/json.js';
import { COUNTED } from './target-memory.js';

export interface MarkedTexts {
  /** What every text of the run begins with. */
  mark: string;
  /** Notes what is sent in a record of a resource. */
  write(resource: string, record: Readonly<Record<string, unknown>>): void;
  /** Whether a record of this resource was sent such a text. */
  isUsed(resource: string): boolean;
  /** Notes what an answer shows: a text that was not written before is somebody else's. */
  read(bytes: Uint8Array): void;
  /** Whether an answer shows the fields of a record that was sent with other texts: then it shows another record. */
  isOther(sent: Readonly<Record<string, unknown>>, bytes: Uint8Array): boolean;
  /** When one of these fields was first written to a record of a resource; `undefined` if none was, or it is not the run's. */
  findWritten(resource: string, fields: readonly MarkedField[]): number | undefined;
}

interface MarkedField {
  name: string;
  text: string;
}

export function createMarkedTexts(mark: string): MarkedTexts {
  const written = new Map<string, number>();
  const used = new Set<string>();
  const own = new Set<string>();
  const foreign = new Set<string>();
  const pattern = new RegExp(`${mark}[a-z]{${COUNTED}}`, 'gi');
  const listTexts = (text: string): string[] => (text.match(pattern) ?? []).map((each) => each.toLowerCase());
  return {
    mark,
    write(resource, record) {
      for (const text of listTexts(printJson(record))) own.add(text);
      for (const field of listMarked(record, mark)) {
        const name = nameField(resource, field);
        used.add(resource);
        if (!written.has(name)) written.set(name, performance.now());
      }
    },
    isUsed: (resource) => used.has(resource),
    read(bytes) {
      for (const text of listTexts(Buffer.from(bytes).toString('latin1'))) if (!own.has(text)) foreign.add(text);
    },
    isOther(sent, bytes) {
      const fields = listMarked(sent, mark);
      const shown = Buffer.from(bytes).toString('latin1');
      const known = new Set(listTexts(shown));
      // A null says that nothing was read of what was sent, not that somebody else wrote it.
      const showsField = fields.some(({ name }) =>
        shown
          .split(printJson(name))
          .slice(1)
          .some((rest) => /^\s*:\s*(?!null\b)/.test(rest)),
      );
      return showsField && !fields.some(({ text }) => listTexts(text).some((each) => known.has(each)));
    },
    findWritten(resource, fields) {
      if (fields.some(({ text }) => listTexts(text).some((each) => foreign.has(each)))) return undefined;
      return fields.map((field) => written.get(nameField(resource, field))).find((at) => at !== undefined);
    },
  };
}

/** The fields of a record itself with such a text. What stands deeper may be that of another record. */
export function listMarked(record: object, mark: string): MarkedField[] {
  return Object.entries(record).flatMap(([name, text]: [string, unknown]) =>
    typeof text === 'string' && text.toLowerCase().includes(mark.toLowerCase()) ? [{ name, text }] : [],
  );
}

/** What stands in fields of a body that is not JSON, as a lenient reader may take it. */
export function readFields(body: Uint8Array): Record<string, string> {
  const text = Buffer.from(body).toString('utf8');
  const fields = [...text.matchAll(/["']([^"'\\]+)["']\s*:\s*["']([^"'\\]*)["']/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}

/** Services lower the case of names, and take away spaces around them; a lenient one takes fields in any case. */
function nameField(resource: string, { name, text }: MarkedField): string {
  return JSON.stringify([resource, name.toLowerCase(), text.trim().toLowerCase()]);
}
