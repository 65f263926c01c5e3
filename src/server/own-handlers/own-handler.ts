import type { RequestHeaders } from '../../contract/message.js';
import type { CollectionOptions, RecordsNow } from '../records.js';

/** Answers one operation in place of the mock. It answers at once: what it returns is sent, and a promise is refused. */
export type OwnHandler = (call: HandlerCall) => HandlerAnswer;

/** Handlers by `operationId`. */
export type OwnHandlers = Readonly<Record<string, OwnHandler>>;

/** A request that was accepted: its credentials are right, and it keeps the contract. */
export interface HandlerCall {
  readonly operationId: string;
  /** The parameters by name, as the contract types them. */
  readonly path: Readonly<Record<string, unknown>>;
  /** With the contract's defaults filled in. */
  readonly query: Readonly<Record<string, unknown>>;
  /** By lower-case name. */
  readonly headers: RequestHeaders;
  readonly body: unknown;
  /** The date of the world. */
  readonly now: Date;
  /**
   * The records of a resource, in the world that was asked.
   * @example call.collection<Order>('orders').update(7, { status: 'paid' });
   */
  readonly collection: <Item extends object = Record<string, unknown>>(
    name: string,
    options?: CollectionOptions,
  ) => RecordsNow<Item>;
  /** What the mock would answer, with what that changes. */
  readonly next: () => HandlerAnswer;
  /** An error as the contract has it for this status. */
  readonly refuse: (status: number, message: string) => HandlerAnswer;
}

/** What is sent, once it is held to the contract. */
export interface HandlerAnswer {
  /** Default: the first success that the contract has for the operation. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly body?: unknown;
}
