import type { SourceDocument } from '../document/document.js';
import { asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import { isNullable } from '../operations/is-nullable.js';
import { hasMark, readProperties, type Property } from '../operations/properties.js';
import type { RoleOperation } from '../resources/resource.js';

/** The fields of a record that may be missing, and may be null: the contract does not say which of both an unset one is. */
export function listUnsettable(document: SourceDocument, record: string): Property[] {
  return readProperties(document, record).filter(
    ({ required, schemaPointer }) =>
      !required && isNullable(document, schemaPointer) && !hasMark(document, schemaPointer, 'writeOnly'),
  );
}

/** Those that a create may leave out, without a value that takes their place. */
export function listUnsent(
  create: RoleOperation | undefined,
  { schemaPointer: record }: { schemaPointer: string },
  document: SourceDocument,
): Property[] {
  if (create?.requestPointer === undefined || create.success.body !== 'record') return [];
  const shown = new Set(listUnsettable(document, create.success.recordPointer ?? record).map(({ name }) => name));
  return readProperties(document, create.requestPointer).filter(
    ({ name, required, schemaPointer }) =>
      shown.has(name) &&
      !required &&
      asObject(resolveAt(document, schemaPointer).value)['default'] === undefined &&
      !hasMark(document, schemaPointer, 'readOnly'),
  );
}
