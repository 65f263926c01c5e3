import { splitList } from '../document/plain.js';
/** A name in a form that all styles of writing share: `pet_id`, `petId`, `PetID` become `petid`. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const IRREGULAR: Readonly<Record<string, string>> = Object.fromEntries([
  ...splitList('people:person children:child men:man women:woman movies:movie cookies:cookie caches:cache').map(
    (pair) => pair.split(':') as [string, string],
  ),
  ...splitList('data media news series species').map((word) => [word, word] as const),
]);

/** The singular of an English plural; only the last word changes: `petOrders` becomes `petOrder`. */
export function nameSingular(plural: string): string {
  const [, head = '', word = plural] = /^(.*[^\p{L}]|.*\p{Ll}(?=\p{Lu}))?(\p{L}+)$/u.exec(plural) ?? [];
  const known = IRREGULAR[word.toLowerCase()];
  if (known !== undefined)
    return head + (/^\p{Lu}/u.test(word) ? known.charAt(0).toUpperCase() + known.slice(1) : known);
  if (/(?:ss|us|is)$/i.test(word) || word.length < 3) return plural;
  if (/[^aeiou]ies$/i.test(word)) return `${plural.slice(0, -3)}y`;
  return /(?:ss|sh|ch|x|zz|us)es$/i.test(word) ? plural.slice(0, -2) : plural.replace(/s$/i, '');
}

export const stemOf = (name: string): string => plainName(nameSingular(name));

/** Whether one plain name begins or ends with the other: `pet` and `petitem`, `order` and `storeorder`. */
export function areRelated(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length > 2 ? long.startsWith(short) || long.endsWith(short) : short === long;
}

/** The noun behind `a` or `an`, by how it begins when it is spoken: a user, an update, an hour. */
export function withArticle(noun: string): string {
  const isVowel =
    /^(?:[aeiou]|hour|honou?r)/i.test(noun) && !/^(?:eu|one|once|uni|us[aeiou]|uti|u(?:ri|rl|uid)s?\b)/i.test(noun);
  return `${isVowel ? 'an' : 'a'} ${noun}`;
}

/** Whether a parameter's name says only that it is a key of something: `{name}` of a team is no name of its members. */
export const isAnyKeyName = (name: string): boolean => ANY_KEY.has(plainName(name));

const ANY_KEY: ReadonlySet<string> = new Set(
  'id uuid guid sid slug identifier key code name number handle token ref reference title label'.split(' '),
);
