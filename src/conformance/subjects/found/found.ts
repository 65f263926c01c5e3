// Resources of which a run can create no record: it reads those that are there, and changes nothing of them.
import type { Contract } from '../../../contract/contract.js';
import { hasMark, readProperties } from '../../../contract/operations/properties.js';
import { FOUND } from '../records/made-records.js';
import { readField, recordAt, type Subject } from '../subject.js';

/** What stands for the records that a run creates where it creates any. */
const CREATORS: ReadonlySet<string> = new Set(['records/create', 'records/create-full', 'records/created-alone']);

/** The scenario on which another builds; for a resource that is only read, the one that finds a record. */
export function nameBase(id: string, { isFound }: Subject): string {
  return isFound === true && CREATORS.has(id) ? FOUND : id;
}

/** Whether a scenario has to wait for a record: no operation without a resource has one. */
export function hasBase(id: string, { isFound, roles }: Subject): boolean {
  return isFound !== true || roles.list !== undefined || !CREATORS.has(id);
}

/** The resource as it can be read; `undefined` without a list that shows its records. */
export function readAsFound(subject: Subject, { document }: Contract): Subject | undefined {
  const { list, get } = subject.roles;
  if (list === undefined || recordAt(list) === undefined) return undefined;
  const fields = readProperties(document, subject.resource.schemaPointer)
    .filter(({ schemaPointer }) => !hasMark(document, schemaPointer, 'writeOnly'))
    .map((property) => Object.assign(readField(property, document), { recordPointer: property.schemaPointer }));
  const roles = get === undefined ? { list } : { list, get };
  return { ...subject, roles, fields, putsNew: undefined, isFound: true };
}
