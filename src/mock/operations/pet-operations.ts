import type { Contract } from '../../contract/contract.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import type { Operation, ResponseRule } from '../../contract/model.js';
import { listProperties, readProperties, type Property } from '../../contract/operations/properties.js';
import { resolveAt } from '../../contract/document/references.js';

/** What a contract says of the petstore's own operations, in the words of their handlers. */
export interface PetOperations {
  list: SuccessRule & {
    /** The query parameters that name a field of a pet; the list is filtered by them. */
    filters: string[];
    /** The query parameters that the list takes and nothing is made of. */
    unused: string[];
  };
  create: SuccessRule & {
    /** The fields that a pet is answered with and that a client need not send, `id` apart. */
    assigned: Property[];
  };
  get: SuccessRule & {
    /** The path parameter that is the pet's id. */
    idParameter: string;
  };
}

/** How an operation answers when all is well. */
interface SuccessRule {
  status: number;
  mediaType: string;
}

const known = new WeakMap<Contract, PetOperations>();

/** Reads a contract once for the handlers of the petstore's own operations. */
export function readPetOperations(contract: Contract): PetOperations {
  const read = known.get(contract) ?? readContract(contract);
  known.set(contract, read);
  return read;
}

function readContract(contract: Contract): PetOperations {
  const find = (id: string): Operation | undefined => contract.operations.find((operation) => operation.id === id);
  const [list, create, get] = [find('listPets'), find('createPet'), find('getPet')];
  const inQuery = list?.parameters.filter((each) => each.in === 'query').map(({ name }) => name) ?? [];
  const fields = listPetFields(contract, list);
  const others = inQuery.filter((name) => name !== 'limit');
  return {
    list: {
      ...readSuccess(list, 200),
      filters: others.filter((name) => fields.has(name)),
      unused: others.filter((name) => !fields.has(name)),
    },
    create: { ...readSuccess(create, 201), assigned: listAssigned(contract, create) },
    get: {
      ...readSuccess(get, 200),
      idParameter: get?.parameters.findLast((each) => each.in === 'path')?.name ?? 'petId',
    },
  };
}

function readSuccess(operation: Operation | undefined, usual: number): SuccessRule {
  const rule = findSuccess(operation, usual);
  const status = rule === undefined || rule.status.endsWith('XX') ? usual : Number(rule.status);
  const mediaType = rule?.content.find((content) => isJsonMediaType(content.mediaType))?.mediaType;
  return { status, mediaType: mediaType ?? 'application/json' };
}

/** The response for the usual status, else the first for any success. */
function findSuccess(operation: Operation | undefined, usual: number): ResponseRule | undefined {
  const responses = operation?.responses ?? [];
  return (
    responses.find(({ status }) => status === String(usual)) ??
    responses.find(({ status }) => /^2(\d\d|XX)$/.test(status))
  );
}

function listPetFields({ document }: Contract, list: Operation | undefined): Set<string> {
  const pointer = findSuccess(list, 200)?.content[0]?.schemaPointer;
  if (pointer === undefined) return new Set();
  return listProperties(document, `${resolveAt(document, pointer).pointer}/items`);
}

function listAssigned({ document }: Contract, create: Operation | undefined): PetOperations['create']['assigned'] {
  const answered = findSuccess(create, 201)?.content[0]?.schemaPointer;
  const sent = create?.requestBody?.content[0]?.schemaPointer;
  if (answered === undefined || sent === undefined) return [];
  const required = (pointer: string): Property[] => readProperties(document, pointer).filter((each) => each.required);
  const sentAnyway = new Set(required(sent).map(({ name }) => name));
  return required(answered).filter(({ name }) => name !== 'id' && !sentAnyway.has(name));
}
