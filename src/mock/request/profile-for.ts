import { profileOf } from '../../contract/gaps/profile.js';
import type { Profile } from '../../contract/gaps/gaps.js';
import type { Operation } from '../../contract/model.js';
import type { World } from '../world/world.js';
import { readParameterRoles } from './parameter-roles.js';

/** The profile's choices for an operation: those for its resource, where the profile has any. */
export function profileFor(operation: Operation, { contract, profile }: Pick<World, 'contract' | 'profile'>): Profile {
  if (profile.of === undefined) return profile;
  return profileOf(profile, readParameterRoles(operation, contract).resource);
}
