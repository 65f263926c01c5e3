import { isOnThisMachine, showTarget } from '../conformance/wire/http/read-given.js';
import { PetstoreMockError } from '../errors.js';
import type { Permissions } from './desk.js';

/**
 * Throws `bad-option` for a service that no call may test, or steer as a mock: a request there may carry a key or a token.
 * Other machines belong to somebody who has to be asked, and that is whoever started the server.
 */
export function checkTarget(url: URL, { targets, testsThisMachine }: Permissions): void {
  if (targets.includes(url.origin) || (isOnThisMachine(url) && testsThisMachine)) return;
  throw new PetstoreMockError('bad-option', `${showTarget(url)} may not be used: ${whyNot(url, testsThisMachine)}`);
}

function whyNot({ origin }: URL, testsThisMachine: boolean): string {
  if (!testsThisMachine)
    return 'other machines can reach these tools, so they use only the mock; petstore-mock mcp can test other services.';
  return `it is not on this machine, and the server was started without --allow-target ${origin}. Only a person can allow that.`;
}
