import type { Contract } from '../contract/contract.js';
import { printJson } from '../contract/document/json.js';
import { encodePath } from '../contract/operations/encode-path.js';
import type { ApiRequest } from '../contract/message.js';
import type { Operation, Parameter } from '../contract/model.js';
import { presentCredentials } from '../contract/security/present-credentials.js';
import { sampleValue } from '../contract/schemas/sample.js';
import { formatPlace } from '../errors.js';
import { createWorld } from './world/create-world.js';
import { handleRequest } from './handle-request.js';
import type { RecordedExchange } from './world/journal.js';
import { findBrokenRules, fitRefusal } from './answer/keep-contract.js';
import { readPetOperations } from './operations/pet-operations.js';
import { createRefusal } from './answer/refusals.js';
import type { World } from './world/world.js';

/** What a team's contract asks of the mock and the mock cannot do, by name: sentences without a full stop. */
export function findLimits(world: World): string[] {
  const { contract, handlers } = world;
  return [
    ...Object.keys(handlers).flatMap((id) => findOtherName(id, contract)),
    ...readPetOperations(contract).list.unused.map(
      (name) =>
        `listPets: the query parameter ${name} is checked but has no effect, since no field of a pet has that name`,
    ),
    ...contract.operations.filter(({ id }) => handlers[id] !== undefined).flatMap((each) => tryOut(each, world)),
    ...contract.operations.flatMap((operation) => findOtherErrors(operation, contract)),
  ];
}

const PLACES: Readonly<Record<string, RegExp>> = {
  'GET listPets': /^\/pets$/,
  'POST createPet': /^\/pets$/,
  'GET getPet': /^\/pets\/\{[^}]+\}$/,
};

/** Handlers are known by operationId; an operation in the same place under another name has no state. */
function findOtherName(id: string, { operations }: Contract): string[] {
  if (operations.some((operation) => operation.id === id)) return [];
  const [place, pattern] = Object.entries(PLACES).find(([key]) => key.endsWith(` ${id}`)) ?? [];
  const other = operations.find(
    ({ method, path }) => place?.startsWith(`${method} `) === true && pattern?.test(path) === true,
  );
  if (other === undefined) return [];
  return [
    `${other.method} ${other.path} keeps no state, since its operationId is ${other.id}; the mock keeps state for ${id}`,
  ];
}

/** Runs an operation once in a world that is thrown away, and says how its answer breaks the contract. */
function tryOut(operation: Operation, world: World): string[] {
  const exchanges: RecordedExchange[] = [];
  const [first] = world.store.list({ limit: 1, order: 'newest-first' });
  const scratch = createWorld({
    contract: world.contract,
    profile: world.profile,
    fixtures: { name: '', seed: 1, pets: first === undefined ? [] : [first.pet], nextId: undefined },
    apiKeys: [SCRATCH_KEY],
    clock: world.clock,
    handlers: world.handlers,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  handleRequest(makeRequest(operation, { contract: world.contract, petId: first?.pet.id }), scratch);
  const [exchange] = exchanges;
  if (exchange?.atFault !== 'mock') return [];
  const places = exchange.violations.map(({ message, contract }) => `${message} (${formatPlace(contract)})`);
  const why = places.length === 0 ? String(exchange.reason) : places.slice(0, 2).join('; ');
  return [`${operation.id}: the mock's answer breaks the contract and is withheld: ${why}`];
}

const SCRATCH_KEY = 'scratch';

/** A request that should be accepted. */
function makeRequest(operation: Operation, { contract, petId }: { contract: Contract; petId: unknown }): ApiRequest {
  const sampleOf = ({ schemaPointer }: Parameter): string =>
    schemaPointer === undefined ? 'x' : String(sampleValue(contract.document, schemaPointer));
  const required = operation.parameters.filter((parameter) => parameter.required);
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = required.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(petId === undefined && parameter !== undefined ? sampleOf(parameter) : String(petId));
  });
  const query = required
    .filter((each) => each.in === 'query')
    .map((each) => `${each.name}=${encodeURIComponent(sampleOf(each))}`);
  const headers = required
    .filter((each) => each.in === 'header')
    .map((each) => [each.name.toLowerCase(), sampleOf(each)]);
  const shown = presentCredentials(operation.security[0] ?? [], () => SCRATCH_KEY);
  const content = operation.requestBody?.content[0];
  const body = content?.schemaPointer === undefined ? undefined : sampleValue(contract.document, content.schemaPointer);
  return {
    method: operation.method,
    path: `${contract.basePath}${encodePath(path)}`,
    mountPath: '',
    query: [...query, ...shown.query.map(([name, value]) => `${encodeURIComponent(name)}=${value}`)].join('&'),
    headers: {
      ...(Object.fromEntries(headers) as Record<string, string>),
      ...lowerNames(shown.headers),
      ...(content === undefined ? {} : { 'content-type': content.mediaType }),
    },
    body: body === undefined ? undefined : new TextEncoder().encode(printJson(body)),
  };
}

function lowerNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Errors that the contract gives a body in which the mock's refusals cannot be put. */
function findOtherErrors(operation: Operation, contract: Contract): string[] {
  const unmet = operation.responses.flatMap(({ status }) => {
    const refusal = createRefusal(Number(status.replace('XX', '00')), 'refused');
    const [violation] = /^[45](\d\d|XX)$/.test(status) ? findBrokenRules(refusal, operation, contract) : [];
    return violation === undefined || fitRefusal(refusal, operation, contract) !== undefined
      ? []
      : [{ status, violation }];
  });
  const [first] = unmet;
  if (first === undefined) return [];
  const statuses = unmet.map(({ status }) => status).join(', ');
  const { message, contract: place } = first.violation;
  return [
    `${operation.id}: the mock has no body for its ${statuses}, whose schema is not the Error body's: ${message} (${formatPlace(place)})`,
  ];
}
