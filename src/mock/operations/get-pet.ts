import type { Int64 } from '../../contract/document/json.js';
import type { ApiResponse } from '../../contract/message.js';
import { letsStatusMove, moveOn } from './moving-status.js';
import { readPetOperations } from './pet-operations.js';
import { createRefusal } from '../answer/refusals.js';
import type { Call } from '../world/world.js';

/** `GET /pets/{petId}` (`#/paths/~1pets~1{petId}/get`). */
export function getPet({ path, world }: Call): ApiResponse {
  const { status, mediaType, idParameter } = readPetOperations(world.contract).get;
  const id = path[idParameter] as Int64;
  const found = world.store.get(id);
  if (found === undefined) return createRefusal(404, `no pet has the id ${id}`);
  const stored = letsStatusMove(world.profile) ? moveOn(found, world) : found;
  return {
    status,
    headers: { 'Content-Type': mediaType },
    body: { value: stored.pet, text: stored.text },
  };
}
