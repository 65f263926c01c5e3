import type { Operation } from '../../contract/model.js';
import type { ParameterValues } from '../../contract/parameters.js';
import type { Violation } from '../../contract/schemas/violation.js';
import type { LackedScopes } from './scenario.js';

/** A request with its meaning in the contract. */
export interface SentRequest {
  method: string;
  /** Path and query below the base URL, with the template's name in place of a valid id. */
  shownAs: string;
  /** The path as it was sent, with that of the base URL; `undefined` where nothing was. */
  target?: string;
  /** `undefined` if the contract has no such path or method. */
  operation: Operation | undefined;
  /** Whether valid credentials were sent in the contract's form. */
  authorized: boolean;
  /** Whether credentials were shown although the operation asks for none. Default: no. */
  showsUnasked?: boolean;
  /** The scopes that its token lacks, on purpose. */
  lacks?: LackedScopes | undefined;
  /** Query values with the contract's types; empty if the query is malformed on purpose. */
  query: ParameterValues;
  /** Path values with the contract's types. */
  path: ParameterValues;
  /** Whether the parameters conform to the contract. */
  validParameters: boolean;
  /** The violations that the request has on purpose. */
  violations: readonly Violation[];
  /** In bytes. */
  bodyLength: number;
  /** The body, when it was sent as JSON. */
  json: unknown;
}

/** One thing in a request that the contract does not allow. */
export interface BrokenOnPurpose {
  /** Where in the request: `body/name`; `body` alone for what is no JSON. */
  at: string;
  rule: string;
  /** What the contract requires, in words; absent where it is no value that is wrong. */
  expected?: string;
  actual: string;
}
