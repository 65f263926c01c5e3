import type { RequestHeaders } from '../../contract/message.js';
import type { GivenAnswer } from '../../mock/answer/given-answer.js';
import type { CollectionOptions, RecordsNow } from '../records.js';

/** Answers one operation in place of the mock. It is synchronous: its return value is sent, and a promise is refused. */
export type OwnHandler = (call: HandlerCall) => HandlerAnswer;

/** Handlers by `operationId`. */
export type OwnHandlers = Readonly<Record<string, OwnHandler>>;

/** An accepted request: its credentials are valid, and it conforms to the contract. */
export interface HandlerCall {
  readonly operationId: string;
  /** The parameters by name, with the contract's types. */
  readonly path: Readonly<Record<string, unknown>>;
  /** Includes the contract's defaults. */
  readonly query: Readonly<Record<string, unknown>>;
  /** By lower-case name. */
  readonly headers: RequestHeaders;
  readonly body: unknown;
  /** The date of the world. */
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
  /** An error in the contract's form for this status. */
  readonly refuse: (status: number, message: string) => HandlerAnswer;
}

/** The answer, which is validated before it is sent. */
export type HandlerAnswer = GivenAnswer;
