import type { Contract } from '../contract/contract.js';
import type { ApiResponse, RequestHeaders } from '../contract/model.js';
import { PetstoreMockError } from '../errors.js';
import { createErrorResponse } from '../mock/response/errors.js';
import { writeGiven, type GivenAnswer } from '../mock/response/write-response.js';
import type { Call, Handler } from '../mock/world/world.js';
import { suggest } from '../suggest.js';
import { findPlace, createRecordsNow } from './handles/records.js';
import type { CollectionOptions, RecordsNow } from './petstore-world.js';

/** A user's handlers for the pipeline. Throws `bad-handler` for an operation that the contract does not have. */
export function bindHandlers(
  given: OwnHandlers,
  contract: Contract,
  inner: Readonly<Record<string, Handler>>,
): Record<string, Handler> {
  const ids = contract.operations.map(({ id }) => id);
  for (const [name, handler] of Object.entries(given)) {
    if (!ids.includes(name))
      throw new PetstoreMockError(
        'bad-handler',
        `the contract has no operation ${name}${suggest(name, ids)} Its operations are ${ids.join(', ')}.`,
      );
    if (typeof handler !== 'function')
      throw new PetstoreMockError('bad-handler', `the handler of ${name} must be a function.`);
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, handler]) => [name, bindHandler(handler, inner[name])] as const),
  );
}

function bindHandler(own: OwnHandler, inner: Handler | undefined): Handler {
  return (call) => {
    const { operation, request, path, query, body, world } = call;
    const { id: operationId } = operation;
    /** The mock's own responses, by the answer that a handler gets of them. */
    const made = new WeakMap<object, ApiResponse>();
    const pass = (response: ApiResponse): HandlerAnswer => {
      const answer = { status: response.status, headers: response.headers, body: response.body?.value };
      made.set(answer, response);
      return answer;
    };
    const given: HandlerCall = {
      operationId,
      path,
      query,
      headers: request.headers,
      body,
      now: new Date(world.clock.now()),
      collection: (name, { within = [] } = {}) => createRecordsNow(() => findPlace(world, name, within)) as never,
      next: () =>
        pass(
          (inner ?? world.stateless[operationId])?.(call) ?? createErrorResponse(501, `${operationId} has no handler`),
        ),
      refuse: (status, message) => pass(createErrorResponse(status, message)),
    };
    let answer: HandlerAnswer;
    try {
      answer = own(given);
    } catch (crash) {
      const told = crash instanceof Error ? crash.message.replace(/\.$/, '') : String(crash);
      const stack = crash instanceof Error ? (crash.stack ?? '') : '';
      const [, file, line] = /^\s+at .*?([^/\\()\s]+?)(?:\?[^:]*)?:(\d+):\d+\)?$/m.exec(stack) ?? [];
      return fail(call, `threw: ${told}${file === undefined ? '' : ` (${file}:${line})`}`, crash);
    }
    const known = made.get(answer);
    if (known !== undefined) return known;
    // An invalid answer of a handler is not replaced from the contract, since that would hide the mistake.
    call.keepsState = false;
    const problem = findAnswerProblem(answer);
    return problem === undefined ? writeGiven(answer, operation, world.contract) : fail(call, problem, undefined);
  };
}

function fail(call: Call, why: string, crash: unknown): ApiResponse {
  const reason = `the handler of ${call.operation.id} ${why}`;
  call.failure = { reason, crash };
  return createErrorResponse(500, reason);
}

const FIELDS = ['status', 'headers', 'body'];
const WHAT = 'return { status, headers, body }, call.next() or call.refuse(404, "...")';

function findAnswerProblem(answer: unknown): string | undefined {
  if (answer instanceof Promise) {
    answer.catch(() => {});
    return 'returned a promise; handlers respond synchronously, so it must not be async';
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    return `returned ${answer === undefined ? 'nothing' : 'no response'}; ${WHAT}`;
  const stranger = Object.keys(answer).find((name) => !FIELDS.includes(name));
  if (stranger !== undefined) return `returned a response with the field ${stranger}; ${WHAT}`;
  const { status = 200, headers = {} } = answer as HandlerAnswer;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    return `returned the status ${String(status)}; it must be a whole number from 200 to 599`;
  const isText = typeof headers === 'object' && Object.values(headers).every((value) => typeof value === 'string');
  return isText ? undefined : 'returned headers that are not all strings';
}

/** Answers one operation in place of the mock. It is synchronous: its return value is sent, and a promise is refused. */
export type OwnHandler = (call: HandlerCall) => HandlerAnswer;
export type OwnHandlers = Readonly<Record<string, OwnHandler>>;

export interface HandlerCall {
  readonly operationId: string;
  /** The parameters by name, with the contract's types. */
  readonly path: Readonly<Record<string, unknown>>;
  /** Includes the contract's defaults. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: RequestHeaders;
  readonly body: unknown;
  readonly now: Date;
  /**
   * The records of a resource in the world of the request.
   * @example call.collection<Order>('orders').update(7, { status: 'paid' });
   */
  readonly collection: <Item extends object = Record<string, unknown>>(
    name: string,
    options?: CollectionOptions,
  ) => RecordsNow<Item>;
  /** Lets the mock answer, including the changes it makes. */
  readonly next: () => HandlerAnswer;
  readonly refuse: (status: number, message: string) => HandlerAnswer;
}

export type HandlerAnswer = GivenAnswer;
