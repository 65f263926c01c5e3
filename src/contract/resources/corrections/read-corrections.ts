import { packageFile } from '../../../package-files.js';
import { checkAgainstSchema, compileFileSchema, compileSchema, type FileSchema } from '../../check-against-schema.js';
import { createSource, escapePointer, readDocument, readText, type SourceDocument } from '../../document/document.js';
import { asObject } from '../../document/plain.js';
import type { Operation } from '../../model.js';
import type { Correction, Corrections } from './correction.js';

const SCHEMA_FILE = 'spec/resources.schema.json';

/** The field of a path item with the same statements as a file of resources. */
export const FIELD = 'x-petstore-resource';

/** Reads a file of resources. Throws a {@link PetstoreMockError} (`unusable-resources`) with file and line for an invalid statement. */
export function loadCorrections(path: string): Corrections {
  const document = readDocument(path, { code: 'unusable-resources', kind: 'resources' });
  checkAgainstSchema(document, compileFileSchema(SCHEMA_FILE), 'unusable-resources');
  const paths = Object.keys(asObject(document.at('/resources')));
  const entries = paths.map((each) => [each, readCorrection(document, `/resources/${escapePointer(each)}`)] as const);
  return { byPath: new Map(entries) };
}

/** The statements in the contract's path items, by path. */
export function findInContract(document: SourceDocument, operations: readonly Operation[]): Map<string, Correction> {
  const found = new Map<string, Correction>();
  for (const { path, pointer } of operations) {
    const at = `${pointer.slice(0, pointer.lastIndexOf('/'))}/${FIELD}`;
    if (found.has(path) || document.at(at) === undefined) continue;
    const part = createSource(document.file, document.at(at), (inside) => document.placeOf(`${at}${inside}`));
    checkAgainstSchema(part, compileEntrySchema(), 'unusable-contract');
    found.set(path, readCorrection(document, at));
  }
  return found;
}

/** The schema of one entry alone. */
function compileEntrySchema(): FileSchema {
  const { $defs } = JSON.parse(readText(packageFile(SCHEMA_FILE))) as { $defs: object };
  return compileSchema({ $defs, $ref: '#/$defs/resource' });
}

function readCorrection(document: SourceDocument, at: string): Correction {
  const raw = document.at(at);
  const placeOf: Correction['placeOf'] = (part) => document.placeOf(part === '' ? at : `${at}/${part}`);
  if (raw === false) return { isResource: false, placeOf };
  const { members, ...rest } = asObject(raw);
  const { record, list } = asObject(members);
  return {
    isResource: true,
    ...(rest as Partial<Correction>),
    members: {
      ...(record === undefined ? {} : { record: readMember(record) }),
      ...(list === undefined ? {} : { list: readMember(list) }),
    },
    placeOf,
  };
}

function readMember(value: unknown): readonly string[] {
  return typeof value === 'string' ? value.split('.') : (value as readonly string[]);
}
