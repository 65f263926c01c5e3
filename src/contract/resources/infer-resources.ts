import type { Contract } from '../contract.js';
import type { Property } from '../operations/properties.js';
import { readProperties } from '../operations/properties.js';
import { readAnswer } from './answers.js';
import { findKey, readKind } from './find-key.js';
import { locateList, locateRecord, type Judge, type Located } from './find-record.js';
import { createJudge, findRoles, readGivenBy } from './find-roles.js';
import { isManner, listCandidates, listParameters, listPlaces, type Candidate } from './places.js';
import type { Inferred, Resource, ResourceNote, RoleOperation } from './resource.js';
import { createSchemaView, type SchemaView } from './schema-view.js';
import { nameSingular } from './words.js';

/** What {@link inferResources} reads of a contract. */
export type Described = Pick<Contract, 'document' | 'operations'>;

/** The resources of a contract, from the document alone. The same contract is read once. */
export function inferResources(contract: Described): Inferred {
  const known = inferred.get(contract);
  if (known !== undefined) return known;
  const found = infer(contract);
  inferred.set(contract, found);
  return found;
}

const inferred = new WeakMap<Described, Inferred>();

function infer({ document, operations }: Described): Inferred {
  const view = createSchemaView(document);
  const candidates = listCandidates(listPlaces(operations));
  const resources = candidates.flatMap((candidate) => readResource(candidate, view) ?? []);
  return { resources: nameAll(resources), singletons: [], notes: [] };
}

function readResource(candidate: Candidate, view: SchemaView): Resource | undefined {
  const { name, parameter, item, segments, collectionPath } = candidate;
  if (isManner(name)) return undefined;
  const record = findRecord(candidate, view);
  if (record === undefined) return undefined;
  const { key, schemaPointer } = record;
  const own: ResourceNote[] = [];
  const finder = {
    view,
    record: { name, schemaPointer, key, judge: createJudge(view, schemaPointer, key) },
    note: (operation: { id: string; pointer: string }, why: string): void => {
      own.push({ message: `${operation.id} keeps no state: ${why}.`, pointer: operation.pointer });
    },
  };
  const operations = findRoles(candidate, finder);
  if (!isResource(operations)) return undefined;
  const parameterSchema = item.operations[0]?.parameters.find((each) => each.in === 'path' && each.name === parameter);
  return {
    name,
    singular: nameSingular(name),
    collectionPath,
    itemPath: item.path,
    schemaPointer,
    key: {
      property: key.name,
      parameter,
      kind: readKind(view, key.schemaPointer, parameterSchema?.schemaPointer),
      givenBy: readGivenBy(view, operations, key),
      schemaPointer: key.schemaPointer,
    },
    operations,
    scope: listParameters(segments),
    parent: undefined,
    assigned: listAssigned(view, schemaPointer, key, operations),
    notes: own,
  };
}

/** At least two things can be done, of which one is to read. */
function isResource(operations: readonly RoleOperation[]): boolean {
  return operations.length >= 2 && operations.some(({ role }) => role === 'get' || role === 'list');
}

/** The record and its key: what `GET` of an item answers, else what is listed, else what a create answers. */
function findRecord(
  { item, collection, name, parameter }: Candidate,
  view: SchemaView,
): { schemaPointer: string; key: Property } | undefined {
  const keyOf = (pointer: string): Property | undefined => findKey(view, pointer, { parameter, name });
  const judge: Judge = (pointer) => (keyOf(pointer) === undefined ? undefined : 'alike');
  const find = (
    method: string,
    operations: Candidate['item']['operations'],
    locate: typeof locateRecord,
  ): Located | undefined => {
    const operation = operations.find((each) => each.method === method);
    const body = operation === undefined ? undefined : readAnswer(operation)?.schemaPointer;
    return body === undefined ? undefined : locate(view, body, name, judge);
  };
  const ofCollection = collection?.operations ?? [];
  const hasGet = item.operations.some(({ method }) => method === 'GET');
  const located = hasGet
    ? find('GET', item.operations, locateRecord)
    : (find('GET', ofCollection, locateList) ?? find('POST', ofCollection, locateRecord));
  const key = located === undefined ? undefined : keyOf(located.pointer);
  return located === undefined || key === undefined ? undefined : { schemaPointer: view.settle(located.pointer), key };
}

/** The properties that only the service can know. */
function listAssigned(
  view: SchemaView,
  schemaPointer: string,
  key: Property,
  operations: readonly RoleOperation[],
): Property[] {
  const sent = operations.find(({ role }) => role === 'create')?.requestPointer;
  const taken = sent === undefined ? undefined : view.properties(sent);
  return readProperties(view.document, schemaPointer).filter(({ name, required, schemaPointer: at }) => {
    if (name === key.name) return false;
    return view.schema(at)['readOnly'] === true || (taken !== undefined && required && !taken.has(name));
  });
}

/** Two of one name are called by the fixed segments before it too: `users.orders`. */
function nameAll(resources: readonly Resource[]): Resource[] {
  const short = countEach(resources.map(({ name }) => name));
  const longer = resources.map((resource) =>
    short.get(resource.name) === 1 ? resource.name : nameInFull(resource.collectionPath),
  );
  const long = countEach(longer);
  return resources.map((resource, index) => {
    const name = longer[index] ?? resource.name;
    return { ...resource, name: long.get(name) === 1 ? name : resource.collectionPath };
  });
}

function nameInFull(path: string): string {
  return path
    .split('/')
    .filter((text) => text !== '' && !text.includes('{'))
    .join('.');
}

function countEach(texts: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}
