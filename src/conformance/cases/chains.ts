// Steps that belong together: what a rejected or a removed record leaves behind.
import { asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { saysNeverReused } from '../../contract/operations/said-in-words.js';
import type { Row } from '../model/scenario.js';
import type { Binding, Tables } from '../resources/instance.js';
import { listInvalid } from '../resources/invalid-records.js';
import { isUnique } from '../resources/fit-record.js';

/** Whether a client chooses the key of a new record in its body. */
function isKeyOwn({ subject: { resource, putsNew }, made }: Binding): boolean {
  return resource.key.givenBy === 'client' && putsNew === undefined && isUnique(made.full[resource.key.property]);
}

/** A record that is rejected for another field than its key. */
function listRejectedKeys(binding: Binding): Row[] {
  const { property } = binding.subject.resource.key;
  if (!isKeyOwn(binding)) return [];
  const rows = listInvalid(binding).filter(({ field, record }) => field !== property && isUnique(record[property]));
  return rows
    .slice(0, 1)
    .map(({ words, record }) => ({ id: 'key', words, record, key: `$steps.invalid.outputs.sent#/${property}` }));
}

/** Where the contract says in words that a key is given but once. */
function listOnce({ subject: { resource, roles, putsNew }, contract: { document } }: Binding): Row[] {
  const { create, remove } = roles;
  if (create === undefined || remove === undefined || putsNew !== undefined || resource.key.givenBy !== 'service')
    return [];
  const places = ['/info', create.operation.pointer, resource.key.schemaPointer];
  const texts = places.map((at) => asText(asObject(resolveAt(document, at).value)['description']) ?? '');
  return texts.some((each) => saysNeverReused(each.replaceAll(/\s+/g, ' '))) ? [{ id: 'key' }] : [];
}

export const CHAIN_TABLES: Tables = {
  $rejectedKeys: listRejectedKeys,
  $ownKey: (binding) => (isKeyOwn(binding) ? [{ id: 'key' }] : []),
  // Where the contract says that a key is taken: other services may have two records under one.
  $takenKey: (binding) =>
    isKeyOwn(binding) &&
    binding.subject.roles.create?.operation.responses.some(({ status }) => status === '409') === true
      ? [{ id: 'key' }]
      : [],
  $keysGivenOnce: listOnce,
};
