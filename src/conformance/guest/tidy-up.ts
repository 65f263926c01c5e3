import type { Contract } from '../../contract/contract.js';
import { isAlike } from '../checks/status.js';
import { createHttpClient, type HttpClient } from '../http/http-client.js';
import type { Route } from '../http/route.js';
import { BARE, NOTHING_KNOWN } from '../request/bare-step.js';
import { prepareRequest, type PrepareOptions } from '../request/prepare-request.js';
import { readSubjects } from '../subjects/subject.js';
import type { Guests } from './guests.js';
import type { Run } from '../run/run.js';

interface Tidying {
  target: URL;
  route: Route;
  timeoutMs: number;
  /** Whether everything stays. */
  keep: boolean;
  notes: Map<string, number>;
}

/** Few resources have scenarios that need more. */
const CREATES_PER_RESOURCE = 60;

/** How many records a run may create if the user does not say. */
export function countAllowed(contract: Contract, least: number): number {
  const resources = readSubjects(contract).filter(({ isPetstore }) => !isPetstore).length;
  return Math.max(least, resources * CREATES_PER_RESOURCE);
}

/** The longest that removing may take, even after an interrupt. */
const TIDYING_MS = 10_000;

/** Removes what the run created, if it may, and notes what stays behind. */
export async function removeGuests(
  { guests, may, prepareOptions }: Run,
  { target, route, timeoutMs, keep, notes }: Tidying,
): Promise<void> {
  if (guests.size === 0 || keep) return;
  if (!may.includes('remove')) {
    notes.set(`${describeLeft(guests.size)}; --may create,update,remove lets the run remove what it created`, 1);
    return;
  }
  // The run's own signal may have ended it.
  const client = createHttpClient({ target, timeoutMs, route, signal: AbortSignal.timeout(TIDYING_MS) });
  const left = await seeOff(guests, client, prepareOptions);
  if (left > 0) notes.set(`${describeLeft(left)}, since the target did not remove ${left === 1 ? 'it' : 'them'}`, 1);
}

function describeLeft(count: number): string {
  return count === 1 ? '1 record that the run created is left' : `${count} records that the run created are left`;
}

/** Removes what is left, the last one first. Returns how many records could not be removed. */
async function seeOff(guests: Guests, client: HttpClient, options: PrepareOptions): Promise<number> {
  let left = 0;
  for (const { operationId, parameters } of [...guests.values()].toReversed()) {
    const step = { ...BARE, id: 'remove', operationId, parameters };
    const answer = await client.send(prepareRequest(step, NOTHING_KNOWN, options).wire);
    // Records that belonged to a removed one may be gone with it.
    if (answer.kind === 'unanswered' || !(isAlike(answer.status, '2XX') || [404, 410].includes(answer.status)))
      left += 1;
  }
  return left;
}
