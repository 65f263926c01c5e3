import type { ApiRequest, ApiResponse } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import type { ParameterValues } from '../../contract/parameters.js';
import type { World } from '../world.js';

/** A request that was accepted: credentials and contract are behind it. */
export interface Call {
  operation: Operation;
  request: ApiRequest;
  path: ParameterValues;
  /** With the contract's defaults filled in. */
  query: ParameterValues;
  body: unknown;
  world: World;
}

/** Answers one operation. */
export type Handler = (call: Call) => ApiResponse;
