// What a merge patch does that no other update does: a null removes (RFC 7396).
import type { Row } from '../../model/raw-scenario.js';
import { isUnique } from '../records/unique-texts.js';
import { findViolation, isMergePatch, listGiven } from '../request-body.js';
import type { Field } from '../subject.js';
import type { TableSource } from './table-source.js';

/** Further fields are assumed to behave like the first. */
export function listRemovals(source: TableSource): Row[] {
  const { subject, made, contract } = source;
  const { update } = subject.roles;
  if (update === undefined || !isMergePatch(update)) return [];
  const given = listGiven(update, contract);
  const fields = subject.fields.filter(
    ({ name, isShown }) => isShown && given.has(name) && Object.hasOwn(made.full, name),
  );
  return fields.flatMap((field) => removeOne(field, source)).slice(0, 1);
}

function isAllowed(record: object, { subject, contract }: TableSource): boolean {
  const { update } = subject.roles;
  return update !== undefined && findViolation(record, update, contract) === undefined;
}

/** Of a value that no service would choose in its place. */
function removeOne({ name, required }: Field, source: TableSource): Row[] {
  const own = source.made.full[name];
  const isTelling = isUnique(own) || (typeof own === 'object' && own !== null && Object.keys(own).length > 0);
  if (required || !(isTelling || isPlainText(own)) || !isAllowed({ [name]: null }, source)) return [];
  return [{ id: name, record: { [name]: null }, dropped: [name] }];
}

function isPlainText(own: unknown): boolean {
  return typeof own === 'string' && own !== '' && !own.startsWith('$');
}
