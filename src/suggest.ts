import { closest, distance } from 'fastest-levenshtein';

/**
 * The end of a sentence about a word that is none of those known: `; did you
 * mean default?` when one is near, else a full stop.
 */
export function suggest(word: string, known: readonly string[]): string {
  const nearest = findNearest(word, known);
  return nearest === undefined ? '.' : `; did you mean ${nearest}?`;
}

/** The known word that a few slips turn this one into. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(word, known);
  return distance(word.toLowerCase(), nearest.toLowerCase()) <= allowedSlips(word) ? nearest : undefined;
}

/** Two slips turn a word of three letters into any other. */
function allowedSlips(word: string): number {
  return word.length <= 3 ? 1 : Math.max(2, word.length / 3);
}
