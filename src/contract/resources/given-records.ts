import { PetstoreMockError, type SourcePlace } from '../../errors.js';
import { escapePointer, readDocument, type SourceDocument } from '../document/document.js';

/** Records of a user's, for a contract of which no program can know what is valid: a business rule, a hard pattern. */
export interface GivenRecords {
  /** By collection, without the keys of those to which it belongs. */
  byCollection: ReadonlyMap<string, readonly GivenRecord[]>;
  /** The collections as the file names them, with their places. */
  places: ReadonlyMap<string, SourcePlace | undefined>;
}

export interface GivenRecord {
  fields: Readonly<Record<string, unknown>>;
  place: SourcePlace | undefined;
}

/** The fields of a fixture pack besides `records`: one file can serve the mock and the runner. */
export const PACK_FIELDS = ['description', 'seed', 'nextId', 'pets', 'generate', 'nextKeys'];

/** Reads a file with `records`, as in a fixture pack. Throws a {@link PetstoreMockError} (`unusable-records`) with file and line. */
export function loadGivenRecords(path: string): GivenRecords {
  const document = readDocument(path, { code: 'unusable-records', kind: 'records' });
  const stranger = isMapping(document.root)
    ? Object.keys(document.root).find((name) => name !== 'records' && !PACK_FIELDS.includes(name))
    : '';
  if (stranger !== undefined)
    throw unusable(
      document,
      `/${stranger}`,
      'a file of records must be a mapping with `records`, as in a fixture pack.',
    );
  const records = document.at('/records');
  if (!isMapping(records))
    throw unusable(document, '/records', '`records` must be a mapping from collections to lists of records.');
  const byCollection = new Map<string, GivenRecord[]>();
  const places = new Map<string, SourcePlace | undefined>();
  for (const [written, list] of Object.entries(records)) {
    const [name = written] = written.split('(');
    const at = `/records/${escapePointer(written)}`;
    places.set(name, places.get(name) ?? document.placeOf(at));
    byCollection.set(name, [...(byCollection.get(name) ?? []), ...readList(document, list, at)]);
  }
  return { byCollection, places };
}

function readList(document: SourceDocument, list: unknown, at: string): GivenRecord[] {
  if (!Array.isArray(list)) throw unusable(document, at, 'this must be a list of records.');
  return list.map((fields: unknown, index) => {
    if (!isMapping(fields)) throw unusable(document, `${at}/${index}`, 'a record must be a mapping.');
    return { fields, place: document.placeOf(`${at}/${index}`) };
  });
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unusable(document: SourceDocument, at: string, message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-records', message, document.placeOf(at));
}
