import type { Contract } from '../contract/contract.js';
import { printJson } from '../contract/document/json.js';
import { encodePath } from '../contract/operations/match.js';
import type { ApiRequest, Operation, Parameter, ResponseRule } from '../contract/model.js';
import type { RoleOperation } from '../contract/resources/resource.js';
import { presentCredentials } from '../contract/security.js';
import { findUnmade, listDoubtful } from '../contract/samples/repair.js';
import { sampleValue } from '../contract/samples/sample.js';
import type { Violation } from '../contract/schemas/violation.js';
import { formatPlace } from '../errors.js';
import { createWorld } from './world/worlds.js';
import { handleRequest } from './handle-request.js';
import type { RecordedExchange } from './world/journal.js';
import { findBrokenRules, fitError, createErrorResponse } from './response/errors.js';
import { mendRecord } from './fixtures/mend-record.js';
import { KEEPS_NO_STATE } from './response/outgoing.js';
import { listKept, type Kept } from './store/kept.js';
import type { World } from './world/world.js';

/** What the mock cannot do for a contract, as sentences; with `triesAll`, every operation with state is tried. */
export function findLimits(world: World, { triesAll = false } = {}): string[] {
  const { contract } = world;
  const all = listKept(contract).flatMap((kept) => kept.operations.map((role) => ({ kept, role })));
  const unused = all.flatMap(({ kept, role }) =>
    (role.list?.unused ?? []).map(
      (name) =>
        `${role.operation.id}: the query parameter ${name} is checked but has no effect, since no field of a ${kept.singular} has that name`,
    ),
  );
  const isTried = triesAll || all.length <= MOST_TRIED;
  const empty = isTried
    ? listKept(contract).flatMap(({ name, singular, schemaPointer }) => {
        if (mendRecord({}, schemaPointer, contract, { replaces: true }) !== undefined) return [];
        const [broken] = contract.validate.value(schemaPointer, sampleValue(contract.document, schemaPointer));
        const message = `${name} start empty, since no valid ${singular} could be generated`;
        if (broken === undefined) return [message];
        return [`${message}: ${broken.message.replace(/^body\/?/, '')} (${formatPlace(broken.contract)})`];
      })
    : [];
  const failed = isTried ? all.flatMap(({ kept, role }) => tryOut(kept, role, world)) : [];
  // What is answered from the contract alone; at a start, only where there is doubt.
  const tried = new Set(isTried ? all.map(({ role }) => role.operation.id) : []);
  const others = triesAll ? contract.operations : listDoubtful(contract, MOST_TRIED);
  const unmade = others.filter(({ id }) => !tried.has(id)).flatMap((operation) => findUnmade(contract, operation));
  return [...unused, ...empty, ...failed, ...unmade, ...findOtherErrors(contract)];
}

/** Trying an operation takes milliseconds, too long for all of them at a start; the log reports the others when they fail. */
const MOST_TRIED = 12;

function tryOut(kept: Kept, { operation }: RoleOperation, world: World): string[] {
  const exchanges: RecordedExchange[] = [];
  const record = mendRecord({}, kept.schemaPointer, world.contract, { replaces: true });
  const sample = record === undefined ? [] : [record];
  const scratch = createWorld({
    contract: world.contract,
    profile: world.profile,
    fixtures: { name: '', seed: 1, pets: [], nextId: undefined, records: new Map([[kept.name, sample]]) },
    apiKeys: [SCRATCH_KEY],
    clock: world.clock,
    stateless: world.stateless,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  const key = kept.key === undefined ? undefined : record?.[kept.key.property];
  handleRequest(makeRequest(operation, { contract: world.contract, key }), scratch);
  const [exchange] = exchanges;
  if (exchange?.atFault === 'mock') {
    const places = exchange.violations.map(({ message, contract }) => `${message} (${formatPlace(contract)})`);
    const why = places.length === 0 ? String(exchange.reason) : places.slice(0, 2).join('; ');
    return [`${operation.id}: the mock's response breaks the contract and is not sent: ${why}`];
  }
  const notes = exchange?.notes.filter((note) => note.startsWith(KEEPS_NO_STATE)) ?? [];
  return notes.map((note) => `${operation.id} ${note}`);
}

const SCRATCH_KEY = 'scratch';

function makeRequest(operation: Operation, { contract, key }: { contract: Contract; key: unknown }): ApiRequest {
  const sampleOf = ({ schemaPointer }: Parameter): string =>
    schemaPointer === undefined ? 'x' : String(sampleValue(contract.document, schemaPointer));
  const required = operation.parameters.filter((parameter) => parameter.required);
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = required.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(key === undefined && parameter !== undefined ? sampleOf(parameter) : String(key));
  });
  const shown = presentCredentials(operation.security[0] ?? [], () => SCRATCH_KEY);
  const query: string[] = [];
  const headers: Record<string, string> = {};
  for (const each of required) {
    if (each.in === 'query') query.push(`${each.name}=${encodeURIComponent(sampleOf(each))}`);
    if (each.in === 'header') headers[each.name.toLowerCase()] = sampleOf(each);
  }
  query.push(...shown.query.map(([name, value]) => `${encodeURIComponent(name)}=${value}`));
  for (const [name, value] of Object.entries(shown.headers)) headers[name.toLowerCase()] = value;
  const content = operation.requestBody?.content[0];
  const body = content?.schemaPointer === undefined ? undefined : sampleValue(contract.document, content.schemaPointer);
  return {
    method: operation.method,
    path: `${operation.server?.basePath ?? contract.basePath}${encodePath(path)}`,
    mountPath: '',
    query: query.join('&'),
    headers: content === undefined ? headers : { ...headers, 'content-type': content.mediaType },
    body: body === undefined ? undefined : new TextEncoder().encode(printJson(body)),
  };
}

function findOtherErrors(contract: Contract): string[] {
  // Hundreds of operations share a few errors.
  const known = new Map<string, Violation | undefined>();
  const find = (operation: Operation, rule: ResponseRule): Violation | undefined => {
    const { status, content, headers } = rule;
    const bodies = content.map(({ mediaType, schemaPointer }) => [mediaType, schemaPointer]);
    const fields = headers.map(({ name, schemaPointer }) => [name, schemaPointer]);
    const key = JSON.stringify([status, bodies, fields]);
    if (known.has(key)) return known.get(key);
    const refusal = createErrorResponse(Number(status.replace('XX', '00')), 'refused');
    const [violation] = findBrokenRules(refusal, operation, contract);
    const isMet = violation === undefined || fitError(refusal, operation, contract) !== undefined;
    known.set(key, isMet ? undefined : violation);
    return known.get(key);
  };
  return contract.operations.flatMap((operation) => {
    const errors = operation.responses.filter(({ status }) => /^[45](\d\d|XX)$/.test(status));
    const unmet = errors.filter((rule) => find(operation, rule) !== undefined);
    const violation = unmet[0] === undefined ? undefined : find(operation, unmet[0]);
    if (violation === undefined) return [];
    const statuses = unmet.map(({ status }) => status).join(', ');
    const { message, contract: place } = violation;
    return [
      `${operation.id}: the mock cannot fill the body of its ${statuses}, whose schema is not an error body that it knows: ${message} (${formatPlace(place)})`,
    ];
  });
}
