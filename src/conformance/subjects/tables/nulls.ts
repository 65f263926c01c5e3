// What a null in an update does: in a merge patch it removes (RFC 7396), elsewhere where the contract shows it so.
import type { Row } from '../../model/scenario.js';
import { listExampleBodies } from '../records/example-bodies.js';
import { isUnique } from '../records/unique-texts.js';
import { findViolation, isMergePatch, listGiven } from '../request-body.js';
import type { Field } from '../subject.js';
import type { TableSource } from './table-source.js';

/** Further fields are assumed to behave like the first. */
export function listRemovals(source: TableSource): Row[] {
  const { subject, made, contract } = source;
  const { update } = subject.roles;
  if (update === undefined) return [];
  const given = listGiven(update, contract);
  const examples = isMergePatch(update) ? undefined : listExampleBodies(update, contract);
  const mayRemove = (name: string): boolean => examples?.some((each) => each[name] === null) ?? true;
  const fields = subject.fields.filter(
    ({ name, isShown }) => isShown && given.has(name) && mayRemove(name) && Object.hasOwn(made.full, name),
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
