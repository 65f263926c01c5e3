// Operations that are no role of a resource: what they respond, whether they ask for credentials, and those that take a body.
import type { Contract } from '../../contract/contract.js';
import { asObject, isObject } from '../../contract/document/plain.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import type { Operation } from '../../contract/model.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { readProperties } from '../../contract/operations/properties.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { asksForCredentials } from '../../contract/security.js';
import { chooseStated } from '../http/prepare-request.js';
import { escape } from '../http/template.js';
import type { Row } from '../model/scenario.js';
import { listRoles, type Binding, type Tables } from '../resources/instance.js';
import { listExampleBodies } from '../resources/instantiate-resources.js';
import { listInvalid, spend } from '../resources/invalid-records.js';
import { asAction, NONE_MADE, readField, readSubjects } from '../resources/resource-under-test.js';

export type Other = { operation: Operation; key: string | undefined; inPath?: Record<string, unknown> };

/** Those whose path has nothing but keys of this resource, or none at all; without a resource, those that none has. */
function listOthers({ subject, contract }: Binding): Other[] {
  const { resource, roles } = subject;
  if (Object.keys(roles).length === 0)
    return resource.operations.flatMap(({ operation }) => {
      const found = listTemplateNames(operation.path).map((name) => {
        const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name);
        return [name, parameter === undefined ? undefined : chooseStated(parameter, contract)] as const;
      });
      const isWhole = found.every(([, value]) => value !== undefined);
      return isWhole ? [{ operation, key: undefined, inPath: Object.fromEntries(found) }] : [];
    });
  const known = new Set(
    readSubjects(contract).flatMap((each) => Object.values(each.roles).map(({ operation }) => operation.id)),
  );
  const itemPath = (roles.get ?? roles.replace ?? roles.update ?? roles.remove)?.operation.path;
  const others = contract.operations.filter(({ id }) => !known.has(id));
  return others.flatMap((operation): Other[] => {
    const { length } = listTemplateNames(operation.path);
    if (length === 0) return [{ operation, key: undefined }];
    const isBelow = (path: string | undefined): boolean =>
      path !== undefined && operation.path.startsWith(`${path}/`) && listTemplateNames(path).length === length;
    if (isBelow(itemPath)) return [{ operation, key: `$records.create-full.key` }];
    return isBelow(resource.collectionPath) ? [{ operation, key: undefined }] : [];
  });
}

export function listReadable(binding: Binding): Other[] {
  return listOpen('GET', binding).filter(({ operation: { responses } }) => {
    const successes = responses.filter(({ status }) => status.startsWith('2'));
    const types = successes.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
    return types.length === 0 || types.some((type) => isJsonMediaType(type) || type === '*/*');
  });
}

function listOpen(method: 'GET' | 'POST', binding: Binding): Other[] {
  return listOthers(binding).filter(({ operation }) => {
    const needed = operation.parameters.filter((each) => each.in !== 'path' && each.required);
    return operation.method === method && needed.every((each) => chooseStated(each, binding.contract) !== undefined);
  });
}

/** What may be asked for in parts (RFC 9110 section 14): where the contract says so, and what is no JSON, as services return files. */
function listContents(binding: Binding): Row[] {
  return listOpen('GET', binding).flatMap((other) => {
    const { responses } = other.operation;
    const whole = responses.find(({ status }) => status === '200');
    const isSaid = whole?.headers.some(({ name }) => name.toLowerCase() === 'accept-ranges') === true;
    const isFile = whole?.content.some(({ mediaType }) => !isJsonMediaType(mediaType)) === true;
    if (!isSaid && !isFile && !responses.some(({ status }) => status === '206')) return [];
    if (other.key !== undefined && binding.subject.roles.list === undefined) return [];
    return [{ ...describeOther(other), key: other.key === undefined ? undefined : '$steps.list.outputs.key' }];
  });
}

/** Without credentials. A service that does not look changes something: only a record of the run, or what has no key in its path. */
function listOtherSecured(binding: Binding): Row[] {
  return listOthers(binding).flatMap((each) => {
    const { operation, key } = each;
    const { method, path, secured, security } = operation;
    // What has a key in its path is about what is there: `POST /stores/{id}/close`.
    const isCall = method === 'POST' && listTemplateNames(path).length === 0;
    const hasOwnKey = key !== undefined && ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
    if (!secured || !asksForCredentials(security) || !(method === 'GET' || isCall || hasOwnKey)) return [];
    return addBody(each, method === 'GET' ? {} : { changes: method === 'DELETE' ? 'remove' : 'update' }, binding);
  });
}

/** Changes at a key that no record has. Any rejection will do; what is not there may be removed (the gap `remove-gone`). */
function listUnknownChanges(binding: Binding): Row[] {
  const roles = readSubjects(binding.contract).find(({ name }) => name === binding.subject.name)?.roles;
  return (['update', 'replace', 'remove'] as const).flatMap((role) => {
    const { operation, creates } = roles?.[role] ?? {};
    if (operation === undefined || creates === true) return [];
    if (!operation.responses.some(({ status }) => status === '404')) return [];
    const [changes, status] = role === 'remove' ? ['remove', '$doneOrRefused'] : ['update', '$refused'];
    return addBody({ operation, key: undefined }, { changes, status }, binding);
  });
}

function addBody(other: Other, more: object, { contract: { document, validate } }: Binding): Row[] {
  const { requestBody } = other.operation;
  const pointer = findPointer(requestBody);
  const json = pointer === undefined ? undefined : sampleValue(document, pointer, { without: 'readOnly' });
  const isTaken = pointer !== undefined && validate.value(pointer, json).length === 0;
  if (requestBody !== undefined && !isTaken) return [];
  return [{ ...describeOther(other), ...(isTaken ? { body: { json: escape(json as object) } } : {}), ...more }];
}

function describeOther({ operation, key, inPath }: Other): Row {
  return { id: operation.id, operation: operation.id, other: asAction(operation), key, inPath };
}

const MOST_INVALID_CALLS = 8;

/** What ends, starts or undoes something for everybody is not for a test to call: `POST /reset`, `stopRecording`. */
const FOR_ALL =
  /reset|reload|restart|reboot|shut|start|stop|resume|pause|kill|exit|terminat|delet|remov|clear|clean|purge|prune|drop|truncat|wipe|flush|destroy|revoke|restor|rollback|import|migrat|upgrad|install|enabl|disabl|rotat|snapshot|backup|save|sync|deploy|publish|recording/i;

/** What is said to look only: `POST /search`. */
const LOOKS = /^(?:search|find|lookup|look-up|filter|count|validate|preview|estimate)/i;

/** Beside a GET or above items, a POST changes or adds what would stay; with a key in its path, it is about what is there. */
function listCalls(binding: Binding): (Other & { bodies: object[] })[] {
  const { contract, subject } = binding;
  const calls = Object.keys(subject.roles).length > 0 ? [] : listOpen('POST', binding);
  return calls.flatMap((each) => {
    const { path, id } = each.operation;
    const isNear = (other: Operation): boolean =>
      other.id !== id && (other.path === path || other.path.startsWith(`${path}/{`));
    if (path.includes('{') || FOR_ALL.test(`${path} ${id}`) || contract.operations.some(isNear)) return [];
    const bodies = listBodies(each.operation, contract);
    return bodies.length === 0 ? [] : [{ ...each, bodies }];
  });
}

/** What can be asked of a record that the run has created for it: `POST /orders/{id}/cancel`. */
function listActions(binding: Binding): Row[] {
  return listOpen('POST', binding).flatMap((each) => {
    const { operation, key } = each;
    if (key === undefined) return [];
    const [body] = listBodies(operation, binding.contract);
    if (body === undefined && operation.requestBody?.required === true) return [];
    return [{ ...describeCall(each), ...(body === undefined ? {} : { body: { json: escape(body) } }) }];
  });
}

function listBodies(operation: Operation, contract: Contract): object[] {
  const pointer = findPointer(operation.requestBody);
  if (pointer === undefined) return [];
  const made = [false, true]
    .map((optional) => sampleValue(contract.document, pointer, { without: 'readOnly', optional }))
    .filter((each) => isObject(each) && contract.validate.value(pointer, each).length === 0);
  const [shown = made[0]] = listExampleBodies(readTaking(operation), contract);
  const whole = made.at(-1);
  const isMore = Object.keys(asObject(whole)).length > Object.keys(asObject(shown)).length;
  return [...(shown === undefined ? [] : [shown]), ...(isMore ? [whole] : [])] as object[];
}

function readTaking(operation: Operation): RoleOperation {
  return { ...asAction(operation), requestPointer: findPointer(operation.requestBody) };
}

function findPointer(requestBody: Operation['requestBody']): string | undefined {
  return requestBody?.content.find(({ mediaType }) => mediaType === 'application/json')?.schemaPointer;
}

function describeCall(call: Other): Row {
  const { path, id } = call.operation;
  const looks = [id, path.split('/').at(-1) ?? ''].some((name) => LOOKS.test(name));
  return { ...describeOther(call), ...(looks ? {} : { changes: 'update' }) };
}

function listValidCalls(binding: Binding): Row[] {
  return listCalls(binding).flatMap(({ bodies, ...call }) =>
    bodies.map((body, index) => {
      const row = describeCall(call);
      const [id, words] = index === 0 ? [row.id, 'a valid body'] : [`${row.id}-full`, 'all that its body may have'];
      return { ...row, id, words, body: { json: escape(body) } };
    }),
  );
}

function listInvalidCalls(binding: Binding): Row[] {
  return listCalls(binding).flatMap(({ bodies, ...call }) => {
    const seen = new Set<string>();
    const found = bodies.flatMap((valid) =>
      listInvalidBodies(valid, call.operation, binding)
        .filter(({ id }) => !seen.has(id) && seen.add(id))
        .map((each) => Object.assign(each, { valid })),
    );
    return spend(found, MOST_INVALID_CALLS).map(({ id, words, record, valid }) => {
      const own = { id: `${call.operation.id}-${id}`, words, valid: { json: escape(valid) }, body: { json: record } };
      return Object.assign(describeCall(call), own);
    });
  });
}

function listInvalidBodies(valid: object, operation: Operation, binding: Binding) {
  const create = readTaking(operation);
  const { document } = binding.contract;
  const fields = readProperties(document, create.requestPointer ?? '').map((each) => readField(each, document));
  const made = { ...NONE_MADE, plain: asObject(valid), full: asObject(escape(valid)) };
  return listInvalid({ ...binding, made, subject: { ...binding.subject, roles: { create }, fields } });
}

export const OTHER_TABLES: Tables = {
  $otherReads: (binding) => listReadable(binding).map(describeOther),
  $otherSecured: listOtherSecured,
  $unknownChanges: listUnknownChanges,
  $contents: listContents,
  $rangedReads: (binding) => listRoles(['get'], binding),
  $actions: listActions,
  $validCalls: listValidCalls,
  $invalidCalls: listInvalidCalls,
};
