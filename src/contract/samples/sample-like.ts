import { asObject, asText } from '../document/plain.js';
import { samplePatternApart } from './sample-pattern.js';

/** A text that the pattern of a schema allows, another one for each number as long as it has others. */
export function makeLike(schema: unknown, number: number): string | undefined {
  const { pattern, minLength = 0, maxLength = Infinity } = asObject(schema);
  const source = asText(pattern);
  if (source === undefined) return undefined;
  return samplePatternApart(source, number, { least: Number(minLength), most: Number(maxLength) });
}
