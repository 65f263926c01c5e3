import { isWithinAnswers, type Group } from './group.js';
import type { Topic } from './sign.js';

/** What lets strangers in, loses what was stored, or ends without an answer: told before all else. */
const GRAVE: ReadonlySet<Topic> = new Set([
  'key-accepted',
  'key-echo',
  'crash',
  'unanswered',
  'refused-kept',
  'lost',
  'changed',
  'wrong-pet',
  'id-twice',
  'stored-twice',
  'record',
]);

/** How an answer says what it says, which few clients look at: told last. */
const SLIGHT: ReadonlySet<Topic> = new Set([
  'refusal-status',
  'key-status',
  'error-shape',
  'error-status',
  'content-type',
  'body-forbidden',
  'page',
  'other',
]);

/** The most telling first: by what is at stake, then causes of more than themselves, then by how many answers show it. */
export function compareWeight(one: Group, other: Group): number {
  return rank(one) - rank(other) || reach(other) - reach(one) || other.occurrences.length - one.occurrences.length;
}

function rank({ sign: { topic, field } }: Group): number {
  if (GRAVE.has(topic)) return 0;
  return SLIGHT.has(topic) || field === 'error' ? 2 : 1;
}

/** How much else is put down to it in answers that do not show it themselves. */
function reach(group: Group): number {
  return group.consequences.filter((each) => !isWithinAnswers(each, group)).length;
}
