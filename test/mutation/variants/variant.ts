import type { Change } from '../server/behaviour.js';
import { readRows, type ById } from '../server/registry.js';

export interface Variant {
  readonly title: string;
  /** The section of the interface that leaves it open, or the rule of HTTP or JSON that allows it. */
  readonly leavesOpen: string;
  readonly change: Change;
}

/** Variants that rest on the same freedom, each as `'id: title': change`, or `'id': change` where the id says it all. */
export function allow<const Rows extends Readonly<Record<string, Change>>>(
  leavesOpen: string,
  rows: Rows,
): ById<Rows, Variant> {
  return readRows(rows, (title, change: Change) => ({ title, leavesOpen, change }));
}

/** What the interface leaves open, by section. */
export const open = {
  order: '4.1: no order of the list is stated',
  ids: '2: an id is any int64, assigned by the service',
  content: '1: what the collection holds is not stated',
  defaultStatus: '3: the status assigned when it is omitted is not stated',
  transitions: '3: transitions are not shown',
  categories: '2 gaps: category records are not shown',
  nameLimits: '2 gaps: length or format limits for name are not shown',
  paging: '4 gaps: pagination controls other than limit are not shown',
  parameters: '7: the response to a limit out of bounds or an unknown status is not shown',
  repeated: '4.1: repeated parameters are not described',
  unknownFields: '2: fields beyond those of NewPet are not described',
  unreadable: '7: the response to a body that is not JSON is not shown',
  petId: '4.3: the response to a petId that is no int64 is not shown',
  codes: '7: the values of code are not shown',
  rateLimits: '8: rate limits are not shown',
  otherPaths: '4: only three operations are described',
  json: 'RFC 8259: the same JSON can be written in many ways',
  http: 'RFC 9110',
} as const;
