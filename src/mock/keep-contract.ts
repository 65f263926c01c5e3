import type { ApiResponse } from '../contract/message.js';
import { findResponse, type Operation } from '../contract/operations.js';
import type { Violation } from '../contract/violation.js';
import { exampleOf } from './forced-answer.js';
import { isRefusal } from './refusals.js';
import type { World } from './world.js';

/**
 * What the answer breaks: the operation's own rules, or those of the Error body where
 * no operation was found, or one that does not say what it answers with this error.
 */
export function findBrokenRules(response: ApiResponse, operation: Operation | undefined, world: World): Violation[] {
  const isUnsaid = response.status >= 400 && operation !== undefined && !findResponse(operation, response.status);
  if (operation !== undefined && !isUnsaid) return world.contract.validate.response(operation, response);
  if (response.body === undefined) return [];
  const { errorSchemaPointer, validate } = world.contract;
  return errorSchemaPointer === undefined ? [] : validate.value(errorSchemaPointer, response.body.value);
}

/** A refusal of ours as the contract's own example has it; `undefined` for what is none, or where no example is sound. */
export function fitRefusal(response: ApiResponse, operation: Operation, world: World): ApiResponse | undefined {
  if (!isRefusal(response)) return undefined;
  const example = exampleOf(operation, response, world);
  return example === undefined || findBrokenRules(example, operation, world).length > 0 ? undefined : example;
}
