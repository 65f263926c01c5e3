import type { Contract } from '../../contract/contract.js';
import { asList, asObject } from '../../contract/document/plain.js';
import type { Operation, Parameter } from '../../contract/model.js';
import { isTagName } from '../../contract/operations/entity-tags.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { readParameterRoles } from '../../mock/request/parameter-roles.js';
import type { World } from '../../mock/world/world.js';
import { fillBody, type ShownBody } from './fill-body.js';
import { giveFreeKey } from './free-key.js';
import { findPathValues } from './path-values.js';
import { writeQuery, writeSimple } from './write-parameter.js';

/** A complete request for someone to send, apart from credentials. */
export interface ShownRequest {
  operation: Operation;
  /** With a value for each parameter, encoded, below the base path. */
  path: string;
  /** `name=value`, encoded: what is required, and a limit that keeps an answer short. */
  query: string[];
  /** Those that are required, by name. */
  headers: Record<string, string>;
  body: ShownBody | undefined;
}

/** What somebody knows of the records that there are. */
export interface KnownRecords {
  /** Values for the parameters in the path of an operation, by name; one without a value here may have any. */
  findValues(operation: Operation): Readonly<Record<string, unknown>>;
  /** A body that conflicts with none of them. */
  settle(operation: Operation, body: unknown): unknown;
}

const NONE_KNOWN: KnownRecords = { findValues: () => ({}), settle: (_, body) => body };

const SHORT = 2;

/** A request that the contract allows, for records that there are, as far as they are known. */
export function fillRequest(
  operation: Operation,
  contract: Contract,
  records: KnownRecords = NONE_KNOWN,
): ShownRequest {
  const values = records.findValues(operation);
  const required = operation.parameters.filter((each) => each.required);
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = findInPath(operation, name);
    const value = values[name] ?? valueOf(parameter, contract);
    return encodeURIComponent(parameter === undefined ? String(value) : writeSimple(parameter, value));
  });
  const limit = findLimit(operation, contract);
  const query = required.filter((each) => each.in === 'query' && each !== limit);
  const headers = required.filter((each) => each.in === 'header');
  return {
    operation,
    path,
    query: [
      ...query.flatMap((each) => writeQuery(each, valueOf(each, contract))),
      ...(limit === undefined ? [] : [`${encodeURIComponent(limit.name)}=${SHORT}`]),
    ],
    headers: Object.fromEntries(headers.map((each) => [each.name, writeSimple(each, valueOf(each, contract))])),
    body: fillBody(operation, contract, (body) => records.settle(operation, body)),
  };
}

/** The records that a world has now. */
export function recordsOf(world: World): KnownRecords {
  const findValues = (operation: Operation): Record<string, unknown> =>
    findPathValues(operation, world, (name) => valueOf(findInPath(operation, name), world.contract));
  return {
    findValues,
    settle: (operation, body) => giveFreeKey(operation, body, { world, values: findValues(operation) }),
  };
}

function findInPath({ parameters }: Operation, name: string): Parameter | undefined {
  return parameters.find((each) => each.in === 'path' && each.name === name);
}

/** The parameter that sets the length of a page, if two records are a length that it may have. */
function findLimit(operation: Operation, contract: Contract): Parameter | undefined {
  const { limit = 'limit' } = readParameterRoles(operation, contract);
  const parameter = operation.parameters.find((each) => each.in === 'query' && each.name === limit);
  return parameter !== undefined && allows(parameter, SHORT, contract) ? parameter : undefined;
}

/** The contract's own example, or a value that its schema allows. */
function valueOf(parameter: Parameter | undefined, contract: Contract): unknown {
  if (parameter === undefined) return 'x';
  const { pointer, schemaPointer, name } = parameter;
  // Any version of a record will do.
  if (isTagName(name)) return '*';
  const { document } = contract;
  const stated = asObject(document.at(pointer));
  const examples = Object.values(asObject(stated['examples'])).map((each) => asObject(each)['value']);
  const made = schemaPointer === undefined ? [] : [sampleValue(document, schemaPointer)];
  const candidates = [stated['example'], ...examples, ...made, ...asList(parameter.schema['enum'])];
  const given = candidates.filter((value) => value !== undefined);
  return given.find((value) => allows(parameter, value, contract)) ?? given.at(-1) ?? 'x';
}

function allows({ schemaPointer }: Parameter, value: unknown, { validate }: Contract): boolean {
  return schemaPointer === undefined || validate.value(schemaPointer, value).length === 0;
}
