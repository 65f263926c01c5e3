import type { Contract } from '../../contract/contract.js';
import { asksForCredentials } from '../../contract/security.js';
import { findNoUse } from '../wire/request/present-key.js';
import type { LoadedScenario } from './check-scenario.js';

/** What is asked for because it is nowhere. */
const NOWHERE = /^\/no-such-/;

function isOfAnother(path: string, contract: Contract): boolean {
  return !NOWHERE.test(path) && contract.match('GET', path).kind === 'unknown-path';
}

/** What the contract does not secure, or secures otherwise, refuses no key, and of a path that it does not have nothing is asked. */
export function leaveOutInapplicable(loaded: LoadedScenario, contract: Contract): LoadedScenario {
  for (const { operationId, auth, request } of loaded.scenario.steps) {
    if (operationId === undefined && request !== undefined && isOfAnother(request.path, contract)) {
      return { ...loaded, scenario: { ...loaded.scenario, leftOut: `the contract has no path ${request.path}` } };
    }
    const operation = contract.operations.find(({ id }) => id === operationId);
    const { security, secured } = operation ?? {
      security: contract.security,
      secured: asksForCredentials(contract.security),
    };
    const noUse = findNoUse(auth, security, secured);
    if (noUse !== undefined) {
      return { ...loaded, scenario: { ...loaded.scenario, leftOut: `${operationId ?? 'the contract'} ${noUse}` } };
    }
  }
  return loaded;
}
