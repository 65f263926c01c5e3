import type { Profile } from '../contract/gaps.js';

/** The kinds of characters that the observation `name-characters` tells apart. */
const KINDS: Readonly<Record<string, RegExp>> = {
  astral: /[\u{10000}-\u{10FFFF}]/u,
  'non-ascii': /[\u0080-\u{10FFFF}]/u,
  control: /\p{Cc}/u,
  markup: /[<>]/,
  'outer-spaces': /^\s+\S|\S\s+$/,
};

/** Why a profile refuses a name that the contract allows; `undefined` when it does not. */
export function findNameRefusal(name: string, { values, seen }: Profile): string | undefined {
  const limit = values?.['name-length-limit'];
  if (typeof limit === 'number' && Array.from(name).length > limit)
    return `body/name must have at most ${limit} characters`;
  const kind = seen?.['name-characters']?.find((each) => KINDS[each]?.test(name) === true);
  return kind === undefined ? undefined : `body/name has characters that are refused: ${kind}`;
}
