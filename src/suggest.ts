import { closest, distance } from 'fastest-levenshtein';

/**
 * The end of a sentence about a word that is none of those known: `; did you
 * mean default?` when one is near, else a full stop.
 */
export function suggest(word: string, known: readonly string[]): string {
  if (known.length === 0) return '.';
  const nearest = closest(word, known);
  const near = distance(word.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, word.length / 3);
  return near ? `; did you mean ${nearest}?` : '.';
}
