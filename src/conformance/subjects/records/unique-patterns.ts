// Texts of a pattern that differ in each record: a key of the client's own must, and so must what a service keeps once.
import type { Contract } from '../../../contract/contract.js';
import { asObject, asText } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { makeLike } from '../../../contract/samples/sample-like.js';

/** As the run makes them: what takes all of these takes any. */
const OWN = ['cfabcde', 'cfzyxwv', 'cfqqqqq'];
/** Numbers as the run draws them. */
const DRAWN = [10_000_000, 13_579_135, 21_881_375];

/**
 * A template for texts that the schemas at all places allow, another one for each record: with the run's own letters where
 * a pattern takes any there, else drawn from the pattern. `undefined` where no place has a pattern, or nothing was found.
 */
export function uniqueLike(
  places: readonly string[],
  { document, validate }: Pick<Contract, 'document' | 'validate'>,
): string | undefined {
  const allows = (text: unknown): boolean => places.every((at) => validate.value(at, text).length === 0);
  const found = places
    .map((at) => resolveAt(document, at))
    .find(({ value }) => asText(asObject(value)['pattern']) !== undefined);
  if (found === undefined) return undefined;
  const sample = makeLike(found.value, 0);
  if (sample === undefined) return undefined;
  for (const [before, after] of [['', ''] as const, ...listGaps(sample)]) {
    const isPlain = !/[${}]/.test(before + after);
    if (isPlain && OWN.every((own) => allows(`${before}${own}${after}`)))
      return before + after === '' ? '$unique' : `${before}{$unique}${after}`;
  }
  const drawn = DRAWN.map((number) => makeLike(found.value, number));
  return new Set(drawn).size === drawn.length && drawn.every(allows) ? `$uniqueLike#${found.pointer}` : undefined;
}

/** What stands before and after a text of the run's own that takes the place of as many characters. */
function listGaps(sample: string): (readonly [before: string, after: string])[] {
  const [{ length }] = OWN as [string];
  return Array.from({ length: Math.max(0, sample.length - length + 1) }, (_, at) => [
    sample.slice(0, at),
    sample.slice(at + length),
  ]);
}
