import { profileOf } from '../../contract/gaps/profile-layers.js';
import type { Profile } from '../../contract/gaps/gaps.js';
import type { Operation } from '../../contract/model.js';
import type { World } from '../world/world.js';
import { readParameterRoles } from './parameter-roles.js';

/** What the profile says of an operation: of its resource, where it says something of that alone. */
export function profileFor(operation: Operation, { contract, profile }: Pick<World, 'contract' | 'profile'>): Profile {
  if (profile.of === undefined) return profile;
  return profileOf(profile, readParameterRoles(operation, contract).resource);
}
