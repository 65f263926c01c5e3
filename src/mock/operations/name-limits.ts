import type { Profile } from '../../contract/gaps/gaps.js';
import { NAME_CHARACTERS } from '../../contract/gaps/name-characters.js';

/** Why a profile refuses a name that the contract allows; `undefined` when it does not. */
export function findNameRefusal(name: string, { values, seen }: Profile): string | undefined {
  const limit = values?.['name-length-limit'];
  if (typeof limit === 'number' && Array.from(name).length > limit)
    return `body/name must have at most ${limit} characters`;
  const kind = seen?.['name-characters']?.find((each) => NAME_CHARACTERS[each]?.test(name) === true);
  return kind === undefined ? undefined : `body/name has characters that are not allowed: ${kind}`;
}
