import type { Contract } from '../../../contract/contract.js';
import { inferResources } from '../../../contract/resources/infer-resources.js';
import type {
  Inferred,
  Resource,
  ResourceNote,
  RoleOperation,
  Singleton,
} from '../../../contract/resources/resource.js';
import { formatPlace } from '../../../errors.js';

/** The inferred resources of a contract, for people: a line for each, and a line for each uncertain finding. */
export function describeResources(contract: Contract): string[] {
  const { resources, singletons } = inferResources(contract);
  const rows = [
    ...resources.map((each) => [each.name, describeKey(each), listRoles(each.operations)]),
    ...singletons.map((each) => [each.name, 'one', listRoles(each.operations)]),
  ];
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([name = '', key = '', roles = '']) =>
    `resource  ${name.padEnd(widths[0] ?? 0)}  ${key.padEnd(widths[1] ?? 0)}  ${roles}`.trimEnd(),
  );
  const unsure = listNotes(inferResources(contract)).map(
    ({ message, pointer }) =>
      `unsure    ${formatPlace(contract.document.placeOf(pointer))}: ${message.replace(/\.$/, '')}`,
  );
  return [...lines, ...unsure];
}

/** The same as data. */
export function toResourceFacts(contract: Contract): object {
  const inferred = inferResources(contract);
  return {
    resources: inferred.resources.map(toFacts),
    singletons: inferred.singletons.map(toFacts),
    unsure: listNotes(inferred).map(({ message, pointer }) => ({
      message,
      place: formatPlace(contract.document.placeOf(pointer)),
    })),
  };
}

function toFacts({ operations, ...rest }: Resource | Singleton): object {
  const { notes: _, ...told } = { notes: [], ...rest };
  return { ...told, operations: operations.map(toOperationFacts) };
}

function toOperationFacts({ operation, ...rest }: RoleOperation): object {
  const { id, method, path } = operation;
  return { operationId: id, method, path, ...rest };
}

function listNotes({ resources, notes }: Inferred): ResourceNote[] {
  return [...notes, ...resources.flatMap((each) => each.notes)];
}

function describeKey({ key, parent }: Resource): string {
  const by = { service: 'of the service', client: 'of the client', either: 'of either' }[key.givenBy];
  return `${key.property} (${key.kind} ${by}${parent === undefined ? '' : `, in ${parent.resource}`})`;
}

function listRoles(operations: readonly RoleOperation[]): string {
  return operations.map(({ role, operation }) => `${role} ${operation.id}`).join(', ');
}
