import { isWithinAnswers, type Group } from '../group.js';
import type { Occurrence } from '../occurrence.js';
import type { Topic } from '../sign.js';

/** The part of a group that follows from a cause. */
export type Follows = (effect: Group, cause: Group) => readonly Occurrence[];

/** All of it, or nothing. */
export const whole =
  (test: (effect: Group, cause: Group) => boolean): Follows =>
  (effect, cause) =>
    test(effect, cause) ? effect.occurrences : [];

export const ofSameAnswers = (...topics: Topic[]): Follows =>
  whole((effect, cause) => topics.includes(effect.sign.topic) && isWithinAnswers(effect, cause));

/** The deviations of a group that pass a test. */
export const each =
  (topics: readonly Topic[], test: (occurrence: Occurrence, cause: Group) => boolean): Follows =>
  ({ sign, occurrences }, cause) =>
    topics.includes(sign.topic) ? occurrences.filter((one) => test(one, cause)) : [];

export const any =
  (...rules: Follows[]): Follows =>
  (effect, cause) => {
    const found = new Set(rules.flatMap((follows) => follows(effect, cause)));
    return effect.occurrences.filter((one) => found.has(one));
  };

/** Whether a deviation is in an answer that shows the cause as well. */
export function isOfSameAnswer(found: Occurrence, { occurrences }: Group): boolean {
  return occurrences.some(({ exchange }) => exchange === found.exchange);
}
