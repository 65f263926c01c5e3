import type { Violation } from '../../contract/schemas/violation.js';
import { formatPlace } from '../../errors.js';
import type { Outgoing } from '../world/record-exchange.js';
import type { World } from '../world/world.js';
import { findBrokenRules } from './keep-contract.js';

/** The beginning of a note that says why an operation kept no state although it should. */
export const KEEPS_NO_STATE = 'is stateless';

/**
 * The answer from the contract alone, used when an answer made of the mock's own records would break
 * the contract. Undoes what the operation changed, unless that stands whatever is said of it. `undefined` if the contract
 * gives no answer either.
 */
export function fallBack(given: Outgoing, broken: readonly Violation[], world: World): Outgoing | undefined {
  const { call, operation } = given;
  const handler = operation === undefined ? undefined : world.stateless[operation.id];
  if (call?.keepsState !== true || handler === undefined) return undefined;
  const response = handler(call);
  const isSound = findBrokenRules(response, operation, world.contract).length === 0;
  const stands = isSound && call.standsAnyway === true;
  if (!stands) call.undo?.();
  if (!isSound) return undefined;
  const places = broken.slice(0, 2).map(({ message, contract }) => `${message} (${formatPlace(contract)})`);
  const what = stands ? 'generated from the contract' : KEEPS_NO_STATE;
  return { ...given, response, notes: [...(given.notes ?? []), `${what}: ${places.join('; ')}`] };
}
