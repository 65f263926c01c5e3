// Who may see what: of the records that a list shows, and with a second credential.
import type { Row } from '../model/scenario.js';
import type { Binding, Tables } from '../resources/instance.js';

/** So many records of a page are read where the contract rejects who may not see one, and elsewhere. */
const MOST_READ = { guarded: 25, open: 3 };

/** Whether an operation of the resource may be forbidden: then who may do what depends on the record. */
function isGuarded({ subject: { roles } }: Binding): boolean {
  return Object.values(roles).some(({ operation }) => operation.responses.some(({ status }) => status === '403'));
}

function listListedReads(binding: Binding): Row[] {
  const { list, get } = binding.subject.roles;
  if (list === undefined || get === undefined) return [];
  return [{ id: 'page', most: isGuarded(binding) ? MOST_READ.guarded : MOST_READ.open }];
}

export const ACCESS_TABLES: Tables = {
  $listedReads: listListedReads,
};
