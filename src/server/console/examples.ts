import type { Operation } from '../../contract/model.js';
import type { World } from '../../mock/world/world.js';
import type { WrittenField } from '../example-requests/fill-body.js';
import { fillRequest, recordsOf } from '../example-requests/fill-request.js';
import { present } from './present.js';

/** A complete request for records that the mock has. */
export interface ExampleRequest {
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  mediaType: string | undefined;
  /** What the body says, as JSON. */
  json: string | undefined;
  /** The fields of a form in parts, which clients write themselves. */
  form: readonly WrittenField[] | undefined;
}

/** How many are made at once: whoever opens a page waits for no more. */
export const SLICE = 12;

/** The examples of an operation and of those after it, by operationId. */
export function listExamples(world: World, from: string | null): Record<string, ExampleRequest> {
  const { operations } = world.contract;
  const at = operations.findIndex(({ id }) => id === from);
  const slice = at < 0 ? [] : operations.slice(at, at + SLICE);
  return Object.fromEntries(slice.map((operation) => [operation.id, writeExample(operation, world)]));
}

/** A request of an operation to copy. In a large contract, it takes milliseconds to make one. */
export function writeExample(operation: Operation, world: World): ExampleRequest {
  const shown = present(operation, world);
  const { path, query, headers, body } = fillRequest(operation, world.contract, recordsOf(world));
  const whole = [...query, ...shown.query.map(([name, value]) => `${name}=${value}`)];
  return {
    path: whole.length === 0 ? path : `${path}?${whole.join('&')}`,
    headers: { ...headers, ...shown.headers },
    body: body?.text,
    mediaType: body?.mediaType,
    json: body?.json,
    form: body?.form,
  };
}
