import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import { StoredPet } from '../store/pet.js';
import type { World } from '../world/world.js';

const MOVES: Record<string, boolean> = { stays: false, 'moves-by-itself': true };
/** In the order in which a profile lets them follow one another; the last one stays. */
const STATUSES = ['available', 'pending', 'sold'];
const STEP_MS = 250;

/** When a pet was created under a profile that lets statuses move, by the world's clock. */
const createdAt = new WeakMap<StoredPet, number>();
/** What a pet looks like after its last move. */
const movedTo = new WeakMap<StoredPet, StoredPet>();

export function letsStatusMove(profile: Profile): boolean {
  return actOn(profile, 'status-after-create', MOVES);
}

/** Notes the time from which a new pet moves on. */
export function startMoving(stored: StoredPet, { profile, clock }: Pick<World, 'profile' | 'clock'>): void {
  if (letsStatusMove(profile)) createdAt.set(stored, clock.now());
}

/** The pet as it is by now. */
export function moveOn(stored: StoredPet, { clock }: Pick<World, 'clock'>): StoredPet {
  const since = createdAt.get(stored);
  const start = STATUSES.indexOf(stored.pet.status ?? '');
  if (since === undefined || start === -1) return stored;
  const steps = Math.max(0, Math.floor((clock.now() - since) / STEP_MS));
  const status = STATUSES[Math.min(start + steps, STATUSES.length - 1)];
  if (status === undefined || status === stored.pet.status) return stored;
  const known = movedTo.get(stored);
  if (known?.pet.status === status) return known;
  const moved = new StoredPet({ ...stored.pet, status });
  movedTo.set(stored, moved);
  return moved;
}
