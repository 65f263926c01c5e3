import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import { NAME_CHARACTERS } from '../../contract/gaps/name-characters.js';
import { listFreeNumbers, listFreeTexts } from '../../contract/gaps/parts.js';
import type { Fields } from '../store/stored-record.js';
import type { Call } from '../world/world.js';
import { fieldOfGap, IS_REFUSED } from './petstore-gaps.js';
import type { Served } from './served.js';
import { compareNumbers, isJsonNumber } from '../../contract/numbers/decimal.js';

/** What a profile may refuse of a text although the contract allows it. */
const OF_TEXTS: { gap: string; message: string; applies: (text: string) => boolean }[] = [
  { gap: 'empty-name', message: 'must not be empty', applies: (text) => text === '' },
  { gap: 'blank-name', message: 'must not be blank', applies: (text) => text !== '' && text.trim() === '' },
];

/** The fields that the gaps about fields are about. */
interface Fitting {
  texts: readonly string[];
  numbers: readonly string[];
}

/** Why a profile refuses values that the contract allows; `undefined` if it does not. */
export function findFieldRefusal(sent: Fields, { profile, world }: Call, served: Served): string | undefined {
  const fields = profile === world.profile ? ofPets(served, world) : readFitting(served);
  if (fields === undefined) return undefined;
  const refusals = [
    ...fields.texts.map((name) => findTextRefusal(name, sent[name], profile)),
    ...fields.numbers.map((name) => findNumberRefusal(name, sent[name], profile)),
  ];
  return refusals.find((refusal) => refusal !== undefined);
}

/** What a profile says without naming a resource is about the fields of pets that `gaps.yaml` names. */
function ofPets({ kept }: Served, world: Call['world']): Fitting | undefined {
  if (!kept.isPets) return undefined;
  const listOf = (gap: string): string[] => [fieldOfGap(gap, world) ?? []].flat();
  return { texts: listOf('empty-name'), numbers: listOf('negative-category') };
}

const known = new WeakMap<Served, Fitting>();

function readFitting(served: Served): Fitting {
  const read = known.get(served) ?? findFitting(served);
  known.set(served, read);
  return read;
}

function findFitting({ kept, contract, role }: Served): Fitting {
  if (kept.key === undefined) return { texts: [], numbers: [] };
  const own = { key: kept.key };
  return {
    texts: listFreeTexts(role, own, contract).map(({ name }) => name),
    numbers: listFreeNumbers(role, own, contract).map(({ name }) => name),
  };
}

function findTextRefusal(name: string, text: unknown, profile: Profile): string | undefined {
  if (typeof text !== 'string') return undefined;
  const found = OF_TEXTS.find(({ gap, applies }) => actOn(profile, gap, IS_REFUSED) && applies(text));
  if (found !== undefined) return `body/${name} ${found.message}`;
  const limit = profile.values?.['name-length-limit'];
  if (typeof limit === 'number' && Array.from(text).length > limit)
    return `body/${name} must have at most ${limit} characters`;
  const kind = profile.seen?.['name-characters']?.find((each) => NAME_CHARACTERS[each]?.test(text) === true);
  return kind === undefined ? undefined : `body/${name} has characters that are not allowed: ${kind}`;
}

function findNumberRefusal(name: string, value: unknown, profile: Profile): string | undefined {
  const isNegative = isJsonNumber(value) && compareNumbers(value, 0) < 0;
  return isNegative && actOn(profile, 'negative-category', IS_REFUSED)
    ? `body/${name} must not be negative`
    : undefined;
}
