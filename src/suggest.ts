import { distance } from 'fastest-levenshtein';

/**
 * The end of a sentence about a word that is none of those known: `; did you
 * mean default?` when one is near, else a full stop.
 */
export function suggest(word: string, known: readonly string[]): string {
  const nearest = findNearest(word, known);
  return nearest === undefined ? '.' : `; did you mean ${nearest}?`;
}

/** The one of the known words that was meant, as far as anyone can tell. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((each) => ({ each, slips: countSlips(word.toLowerCase(), each.toLowerCase()) }))
    .toSorted((one, other) => one.slips - other.slips);
  const [nearest] = ranked;
  if (nearest !== undefined && nearest.slips <= allowedSlips(word)) return nearest.each;
  const begun = word.length < 3 ? [] : known.filter((each) => each.toLowerCase().startsWith(word.toLowerCase()));
  return begun.length === 1 ? begun[0] : undefined;
}

/** Two letters that changed places are one slip. */
function countSlips(word: string, known: string): number {
  return isSwapped(word, known) ? 1 : distance(word, known);
}

function isSwapped(word: string, known: string): boolean {
  if (word.length !== known.length) return false;
  const at = Array.from(word).findIndex((letter, index) => letter !== known[index]);
  return at >= 0 && `${word.slice(0, at)}${word[at + 1] ?? ''}${word[at] ?? ''}${word.slice(at + 2)}` === known;
}

/** One slip turns a letter into any other, two a word of four letters into many. Dashes before a flag say nothing. */
function allowedSlips(word: string): number {
  const { length } = word.replace(/^-+/, '');
  if (length <= 1) return 0;
  return length <= 4 ? 1 : Math.max(2, length / 3);
}
