import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import type { Operation, Security } from '../../../contract/model.js';
import { readOnce } from '../../../contract/read-once.js';
import type { RunKeys } from './present-key.js';

/** Whether a contract declares security schemes and nowhere says what asks for them. */
export const asksNowhere = readOnce(({ document, operations, securitySchemes }: Contract): boolean => {
  const says = (pointer: string): boolean => asObject(document.at(pointer))['security'] !== undefined;
  return securitySchemes.length > 0 && !says('') && !operations.some(({ pointer }) => says(pointer));
});

/**
 * What an operation asks for. Where a contract declares schemes and asks for none, credentials that somebody gave are shown
 * all the same, by any of them: whoever gives some wants them to be sent.
 */
export function securityOf(operation: Operation | undefined, contract: Contract, keys: RunKeys): Security {
  const stated = operation?.security ?? contract.security;
  const isStated = stated.some((combination) => combination.length > 0);
  const isWanted = asksNowhere(contract) || keys.isForAll === true;
  return isGiven(keys) && isWanted && !isStated ? contract.securitySchemes.map((scheme) => [scheme]) : stated;
}

/** Whether somebody gave credentials for the run. */
export function isGiven({ apiKey, credentials, isGuessed }: Omit<RunKeys, 'tokens'>): boolean {
  return Object.keys(credentials).length > 0 || (apiKey !== '' && isGuessed !== true);
}

/** Whether an operation of the contract may ask for credentials. */
export function asksForCredentials({ operations, security }: Contract): boolean {
  return [security, ...operations.map((each) => each.security)].some((each) =>
    each.some((combination) => combination.length > 0),
  );
}
