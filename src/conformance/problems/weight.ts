import { isWithinAnswers, type Group } from './group.js';
import type { Topic } from './sign.js';

/** Defects that let strangers in, lose data, or leave requests without an answer come first. */
const GRAVE: ReadonlySet<Topic> = new Set([
  'key-accepted',
  'scope-accepted',
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

/** Defects of form, to which few clients pay attention, come last. */
const SLIGHT: ReadonlySet<Topic> = new Set([
  'refusal-status',
  'key-status',
  'error-shape',
  'error-status',
  'content-type',
  'header',
  'body-forbidden',
  'page',
  'other',
]);

/**
 * The most important first: by what is at stake, then by how much else they cause, then by how many answers show them.
 */
export function compareWeight(one: Group, other: Group): number {
  return rank(one) - rank(other) || reach(other) - reach(one) || other.occurrences.length - one.occurrences.length;
}

function rank({ sign: { topic, field } }: Group): number {
  if (GRAVE.has(topic)) return 0;
  return SLIGHT.has(topic) || field === 'error' ? 2 : 1;
}

/** How many other deviations are attributed to it in answers that do not show it themselves. */
function reach(group: Group): number {
  return group.consequences.filter((each) => !isWithinAnswers(each, group)).length;
}
