import { isAlike } from '../../judge/status.js';
import { isOfAbsence } from '../../model/wire.js';
import { askRole, readTag, type Asking } from './ask-role.js';
import { nameGuest, type Guest, type Guests } from './guests.js';

/** Removes a record of the run's own, where the contract has an operation for it. */
export async function seeOff(guest: Guest, guests: Guests, asking: Asking): Promise<void> {
  const { remove } = guest.subject.roles;
  if (remove === undefined || asking.signal.aborted) return;
  const answer = await askRole(remove, guest.parameters, asking, await readTag(guest, asking));
  // Records that belonged to a removed one may be gone with it, and one that was renamed has another key.
  const isGone = answer.kind === 'answered' && (isAlike(answer.status, '2XX') || isOfAbsence(answer.status));
  if (!isGone) return;
  guests.staying.delete(nameGuest(guest));
  guests.removed.add(nameGuest(guest));
}
