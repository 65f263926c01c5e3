// Operations that are no role of a resource and take a body: what they do, only their names say.
import type { Contract } from '../../contract/contract.js';
import { asObject, isObject } from '../../contract/document/plain.js';
import type { Operation } from '../../contract/model.js';
import { readProperties } from '../../contract/operations/properties.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { chooseStated } from '../http/prepare-request.js';
import { escape } from '../http/template.js';
import type { Row } from '../model/scenario.js';
import type { Binding, Tables } from '../resources/instance.js';
import { listExampleBodies } from '../resources/instantiate-resources.js';
import { listInvalid, spend } from '../resources/invalid-records.js';
import { asAction, NONE_MADE, readField } from '../resources/resource-under-test.js';
import { describeOther, listOthers, type Other } from './parameters.js';

/** What a run sends to one operation, each beside a valid body. */
const MOST_INVALID_CALLS = 8;

/** What ends, starts or undoes something for everybody is not for a test to call: `POST /reset`, `stopRecording`. */
const FOR_ALL =
  /reset|reload|restart|reboot|shut|start|stop|resume|pause|kill|exit|terminat|delet|remov|clear|clean|purge|prune|drop|truncat|wipe|flush|destroy|revoke|restor|rollback|import|migrat|upgrad|install|enabl|disabl|rotat|snapshot|backup|save|sync|deploy|publish|recording/i;

/** What is said to look only: `POST /search`. */
const LOOKS = /^(?:search|find|lookup|look-up|filter|count|validate|preview|estimate)/i;

function listCalls(binding: Binding): (Other & { bodies: object[] })[] {
  const { contract } = binding;
  if (Object.keys(binding.subject.roles).length > 0) return [];
  return listOthers(binding).flatMap((each) => {
    const { operation } = each;
    if (!isCall(operation, contract)) return [];
    const bodies = listBodies(operation, contract);
    return bodies.length === 0 ? [] : [{ ...each, bodies }];
  });
}

/** Beside a GET or above items, a POST changes or adds what would stay; with a key in its path, it is about what is there. */
function isCall(operation: Operation, contract: Contract): boolean {
  const { path: own, id } = operation;
  if (own.includes('{') || FOR_ALL.test(`${own} ${id}`) || !isPost(operation, contract)) return false;
  return contract.operations.every(
    (each) => each.id === id || (each.path !== own && !each.path.startsWith(`${own}/{`)),
  );
}

/** A POST whose parameters the contract shows. */
function isPost({ method, parameters }: Operation, contract: Contract): boolean {
  return (
    method === 'POST' &&
    parameters.every((each) => each.in === 'path' || !each.required || chooseStated(each, contract) !== undefined)
  );
}

/** What can be asked of a record that the run has created for it: `POST /orders/{id}/cancel`. */
function listActions(binding: Binding): Row[] {
  const { contract } = binding;
  return listOthers(binding).flatMap((each) => {
    const { operation, key } = each;
    if (key === undefined || !isPost(operation, contract)) return [];
    const [body] = listBodies(operation, contract);
    if (body === undefined && operation.requestBody?.required === true) return [];
    return [{ ...describeCall(each), ...(body === undefined ? {} : { body: { json: escape(body) } }) }];
  });
}

/** Of an object in JSON: what the contract shows or requires, and all that it may have. */
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

/** As if the operation created a record of such a body. */
function listInvalidBodies(valid: object, operation: Operation, binding: Binding) {
  const create = readTaking(operation);
  const { document } = binding.contract;
  const fields = readProperties(document, create.requestPointer ?? '').map((each) => readField(each, document));
  const made = { ...NONE_MADE, plain: asObject(valid), full: asObject(escape(valid)) };
  return listInvalid({ ...binding, made, subject: { ...binding.subject, roles: { create }, fields } });
}

export const CALL_TABLES: Tables = {
  $actions: listActions,
  $validCalls: listValidCalls,
  $invalidCalls: listInvalidCalls,
};
