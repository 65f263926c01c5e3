import { hasMark } from '../../contract/operations/properties.js';
import type { Binding } from './binding.js';
import { areChangesSecured } from './tables/credentials.js';
import type { RoleScenario } from './role-scenario.js';
import { listStatuses } from './statuses.js';
import type { Subject } from './subject.js';

type Need = NonNullable<RoleScenario['needs']>;

/** Whether a resource has what a scenario `needs`. */
export function hasNeeded(need: Need, binding: Binding): boolean {
  return NEEDS[need](binding.subject, binding);
}

/** What finds out which whole records a service takes of the resource above, where steps create some. */
export function listAbove(steps: RoleScenario['steps'], { parent }: Binding): string[] {
  const creates = steps.some(({ of, role }) => of === 'parent' && role === 'create');
  return parent === undefined || !creates ? [] : [`${parent.subject.name}/records/create-full`];
}

const NEEDS: Readonly<Record<Need, (subject: Subject, binding: Binding) => boolean>> = {
  found: ({ isFound }) => isFound === true,
  getRefusals: ({ roles: { get } }) => get !== undefined && listStatuses('$notFound', get.operation) !== undefined,
  securedChanges: areChangesSecured,
  changes: ({ roles: { update, replace } }) => update !== undefined || replace !== undefined,
  // If the contract has 404 too, a service may want its records created first.
  upsert: ({ roles: { replace }, putsNew }) =>
    putsNew === undefined &&
    replace?.creates === true &&
    !replace.operation.responses.some(({ status }) => status === '404'),
  noUpsert: ({ roles: { replace }, putsNew }) => putsNew === undefined && replace?.creates !== true,
  conditions: ({ roles: { get } }) => get !== undefined && listStatuses('$notModified', get.operation) !== undefined,
  // A record that describes a field without the mark lets the service show it.
  writeOnly: ({ fields }, { made, contract: { document } }) =>
    fields.some(
      ({ name, schemaPointer, recordPointer }) =>
        hasMark(document, recordPointer ?? schemaPointer, 'writeOnly') && Object.hasOwn(made.full, name),
    ),
};
