import type {
  Envelope,
  Inferred,
  ListRules,
  Resource,
  RoleOperation,
} from '../../../../src/contract/resources/resource.js';

/** What is inferred, in lines that a person can check. */
export function summarize({ resources, singletons, notes }: Inferred): string[] {
  return [
    ...resources.flatMap((each) => [
      describeResource(each),
      ...each.operations.map(describeOperation),
      ...each.notes.map((note) => `  ! ${note.message}`),
    ]),
    ...singletons.flatMap(({ name, path, scope, operations }) => [
      `one ${name} at ${path}${scope.length === 0 ? '' : ` within ${scope.join(', ')}`}`,
      ...operations.map(describeOperation),
    ]),
    ...notes.map((note) => `! ${note.message}`),
  ];
}

function describeResource({ name, singular, key, parent, scope, assigned, ...rest }: Resource): string {
  const repeated = `repeated in ${parent?.property ?? 'nothing'}`;
  return [
    `${name} (a ${singular}) at ${rest.collectionPath} and ${rest.itemPath}, ${rest.schemaPointer.split('/').at(-1)}`,
    `key ${key.property} from {${key.parameter}}, ${key.kind}, given by ${key.givenBy}`,
    ...(scope.length === 0 ? [] : [`apart by ${scope.join(', ')}`]),
    ...(parent === undefined ? [] : [`in ${parent.resource} by {${parent.parameter}}, ${repeated}`]),
    ...(assigned.length === 0 ? [] : [`assigned: ${assigned.map((each) => each.name).join(', ')}`]),
  ].join('; ');
}

function describeOperation(given: RoleOperation): string {
  const { role, operation, success, requestMember, keyIn, many, queryFields, list, sets, within, creates } = given;
  return [
    `  ${role} ${operation.id}: ${success.status} ${success.body}`,
    ...(success.envelope === undefined ? [] : [`in ${describeEnvelope(success.envelope)}`]),
    ...(requestMember === undefined ? [] : [`takes it in ${requestMember.join('.')}`]),
    ...(many === true ? ['takes several'] : []),
    ...(creates === true ? ['creates'] : []),
    ...(keyIn === undefined ? [] : [`key in the ${keyIn}`]),
    ...(given.patch === undefined ? [] : ['a JSON Patch']),
    ...(queryFields ?? []).map((each) => `query ${each.parameter} gives ${each.property}`),
    ...(sets === undefined ? [] : [`sets ${sets.property} to ${JSON.stringify(sets.value)}`]),
    ...(within ?? []).map((each) => `{${each.parameter}} is ${each.property} of ${each.resource ?? 'nothing known'}`),
    ...(list === undefined ? [] : describeRules(list)),
  ].join('; ');
}

function describeEnvelope(envelope: Envelope): string {
  return Object.entries(envelope)
    .map(([told, member]) => `${told} ${(member as string[]).join('.')}`)
    .join(', ');
}

function describeRules({ filters, sort, paging, unused }: ListRules): string[] {
  return [
    ...filters.map((each) => `${each.parameter} ${each.relation} ${each.property.join('.')}`),
    ...(sort === undefined ? [] : [`sort ${JSON.stringify(sort)}`]),
    ...(paging === undefined ? [] : [`pages ${JSON.stringify(paging)}`]),
    ...(unused.length === 0 ? [] : [`unused: ${unused.join(', ')}`]),
  ];
}
