// Operations that are no role of a resource: what they answer, and whether they ask for credentials.
import type { Contract } from '../../../contract/contract.js';
import { isJsonMediaType } from '../../../contract/media-types.js';
import { sampleValue } from '../../../contract/samples/sample.js';
import type { Operation } from '../../../contract/model.js';
import { listTemplateNames } from '../../../contract/operations/match.js';
import { asksForCredentials } from '../../../contract/security.js';
import type { Row } from '../../model/raw-scenario.js';
import { chooseStated } from '../../wire/request/needed-parameters.js';
import { escape } from '../../wire/request/template.js';
import { asAction } from '../found/rest.js';
import { readSubjects, type Subject } from '../subject.js';
import type { TableSource } from './table-source.js';

const JSON_TYPE = 'application/json';

/** Reading ones with an answer in JSON; what a request needs, the contract shows. */
export function listOtherReads(source: TableSource): Row[] {
  return listReadable(source).map(describe);
}

/** The same with what stands in each path. */
export function listReadable(source: TableSource): Other[] {
  return listOthers(source).filter(({ operation: { method, parameters, responses } }) => {
    const successes = responses.filter(({ status }) => status.startsWith('2'));
    const types = successes.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
    const isReadable = types.length === 0 || types.some((type) => isJsonMediaType(type) || type === '*/*');
    const isOpen = parameters.every(
      (each) => each.in === 'path' || !each.required || chooseStated(each, source.contract) !== undefined,
    );
    return method === 'GET' && isOpen && isReadable;
  });
}

/**
 * Without credentials. What may change something is asked of a record of the run's own, or at an address without keys by whoever
 * may update, since a service that does not look does it.
 */
export function listOtherSecured(source: TableSource): Row[] {
  return listOthers(source)
    .filter(
      ({ operation, key }) => operation.secured && asksForCredentials(operation.security) && isHarmless(operation, key),
    )
    .flatMap((each) => {
      const { operation } = each;
      const body = sampleBody(operation, source.contract);
      if (operation.requestBody !== undefined && body === undefined) return [];
      const changes =
        operation.method === 'GET' ? {} : { changes: operation.method === 'DELETE' ? 'remove' : 'update' };
      return [{ ...describe(each), ...(body === undefined ? {} : { body }), ...changes }];
    });
}

function isHarmless({ method, path }: Operation, key: string | undefined): boolean {
  // What has a key in its path is about what is there: `POST /stores/{id}/close`.
  const isCall = method === 'POST' && listTemplateNames(path).length === 0;
  return method === 'GET' || isCall || (key !== undefined && ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method));
}

function sampleBody({ requestBody }: Operation, { document, validate }: Contract): { json: unknown } | undefined {
  const pointer = requestBody?.content.find(({ mediaType }) => mediaType === JSON_TYPE)?.schemaPointer;
  if (pointer === undefined) return undefined;
  const json = sampleValue(document, pointer, { without: 'readOnly' });
  return validate.value(pointer, json).length === 0 ? { json: escape(json as object) } : undefined;
}

/**
 * Changes of records of which a run can create none, with a key that none has. What is sent may be wrong by itself, so any
 * rejection will do; what is not there may be removed (the gap `remove-gone`).
 */
export function listUnknownChanges({ subject, contract }: TableSource): Row[] {
  const roles = readSubjects(contract).find(({ name }) => name === subject.name)?.roles;
  return (['update', 'replace', 'remove'] as const).flatMap((role) => {
    const { operation, creates } = roles?.[role] ?? {};
    if (operation === undefined || creates === true || !operation.responses.some(({ status }) => status === '404'))
      return [];
    const body = sampleBody(operation, contract);
    if (operation.requestBody !== undefined && body === undefined) return [];
    const status = role === 'remove' ? '$doneOrRefused' : '$refused';
    const changes = role === 'remove' ? 'remove' : 'update';
    return [{ ...describe({ operation, key: undefined }), ...(body === undefined ? {} : { body }), changes, status }];
  });
}

export interface Other {
  operation: Operation;
  /** The record in its path. */
  key: string | undefined;
  /** What else is in it. */
  inPath?: Record<string, unknown>;
}

function describe({ operation, key, inPath }: Other): Row {
  return { id: operation.id, operation: operation.id, other: asAction(operation), key, inPath };
}

/** What the contract shows for each parameter of a path; `undefined` where it shows nothing for one. */
function fillPath({ path, parameters }: Operation, contract: Contract): Record<string, unknown> | undefined {
  const found = listTemplateNames(path).map((name) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return [name, parameter === undefined ? undefined : chooseStated(parameter, contract)] as const;
  });
  return found.every(([, value]) => value !== undefined) ? Object.fromEntries(found) : undefined;
}

/** Those whose path has nothing but keys of this resource, or none at all; without a resource, those that none has. */
function listOthers({ subject, contract }: TableSource): Other[] {
  if (Object.keys(subject.roles).length === 0)
    return subject.resource.operations.flatMap(({ operation }) => {
      const inPath = fillPath(operation, contract);
      return inPath === undefined ? [] : [{ operation, key: undefined, inPath }];
    });
  const known = new Set(
    readSubjects(contract).flatMap(({ roles }) => Object.values(roles).map((each) => each.operation.id)),
  );
  const paths = pathsOf(subject);
  return contract.operations
    .filter(({ id }) => !known.has(id))
    .flatMap((operation): Other[] => {
      const names = listTemplateNames(operation.path);
      if (names.length === 0) return [{ operation, key: undefined }];
      const isBelow = (path: string | undefined): boolean =>
        path !== undefined && operation.path.startsWith(`${path}/`) && listTemplateNames(path).length === names.length;
      if (isBelow(paths.item)) return [{ operation, key: `$records.create-full.key` }];
      return isBelow(paths.collection) ? [{ operation, key: undefined }] : [];
    });
}

function pathsOf({ resource, roles }: Subject): { item: string | undefined; collection: string } {
  const item = (roles.get ?? roles.replace ?? roles.update ?? roles.remove)?.operation.path;
  return { item, collection: resource.collectionPath };
}
