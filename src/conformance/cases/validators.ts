// What may be asked for in parts (RFC 9110 section 14).
import { isJsonMediaType } from '../../contract/media-types.js';
import type { Operation } from '../../contract/model.js';
import type { Row } from '../model/scenario.js';
import type { Binding, Tables } from '../resources/instance.js';
import { describeOther, listOthers } from './parameters.js';

/** Where the contract says so, and for what is no JSON, as services return files. */
function mayBePartial({ responses }: Operation): boolean {
  const whole = responses.find(({ status }) => status === '200');
  const isSaid = whole?.headers.some(({ name }) => name.toLowerCase() === 'accept-ranges') === true;
  const isFile = whole?.content.some(({ mediaType }) => !isJsonMediaType(mediaType)) === true;
  return isSaid || isFile || responses.some(({ status }) => status === '206');
}

/** Operations that are no role of the resource, of one record of its list or of none. */
function listContents(binding: Binding): Row[] {
  const { roles } = binding.subject;
  return listOthers(binding).flatMap((other) => {
    const { operation, key } = other;
    const isOpen = operation.parameters.every((each) => each.in === 'path' || !each.required);
    if (operation.method !== 'GET' || !isOpen || !mayBePartial(operation)) return [];
    if (key !== undefined && roles.list === undefined) return [];
    return [{ ...describeOther(other), key: key === undefined ? undefined : '$steps.list.outputs.key' }];
  });
}

export const VALIDATOR_TABLES: Tables = {
  $rangedReads: ({ subject: { roles } }) =>
    roles.get === undefined ? [] : [{ id: 'get', operation: roles.get.operation.id }],
  $contents: listContents,
};
