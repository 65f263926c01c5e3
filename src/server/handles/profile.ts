import type { Gap, Profile } from '../../contract/gaps/gaps.js';
import { layOver } from '../../contract/gaps/profile-layers.js';
import { PetstoreMockError } from '../../errors.js';
import type { World } from '../../mock/world/world.js';
import { suggest } from '../../suggest.js';
import type { Profiles } from '../petstore-world.js';

export function createProfileHandle(find: () => World): Profiles {
  return {
    get: async () => show(find()),
    async choose(choices) {
      const world = find();
      world.profile = choose(world, choices);
      return show(world);
    },
    async reset() {
      const world = find();
      world.profile = world.startProfile;
      return show(world);
    },
  };
}

function show({ profile }: World): { name: string; choices: Record<string, string> } {
  return { name: profile.name, choices: { ...profile.choices } };
}

function choose({ profile, gaps }: World, choices: Readonly<Record<string, string>>): Profile {
  const problems = Object.entries(choices).flatMap(([id, choice]) => findChoiceProblem(gaps.known, id, choice));
  if (problems.length > 0) throw new PetstoreMockError('unusable-profile', problems.join(' '));
  return layOver({ ...profile, choices: { ...profile.choices, ...choices } }, gaps.known);
}

/** Sentences. */
function findChoiceProblem(gaps: readonly Gap[], id: string, choice: unknown): string[] {
  const choosable = gaps.filter(({ kind }) => kind === 'choice');
  const gap = choosable.find((each) => each.id === id);
  if (gap === undefined) {
    const ids = choosable.map((each) => each.id);
    return [`there is no gap ${id}${suggest(id, ids)}`];
  }
  const known = Object.keys(gap.choices);
  if (known.some((each) => each === choice)) return [];
  return [`${String(choice)} is not a choice of ${id}; there are ${known.join(', ')}.`];
}
