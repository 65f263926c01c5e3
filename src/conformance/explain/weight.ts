import { isWithinAnswers, type Group } from './group.js';
import type { RecordKind } from './records/record-sign.js';
import type { Topic } from './sign.js';

/** What leaves requests without an answer comes first. */
const FAILS: ReadonlySet<Topic> = new Set(['crash', 'unanswered']);

/** Then what lets strangers in, or tells them what they should not know. */
const LEAKS: ReadonlySet<Topic> = new Set(['key-accepted', 'scope-accepted', 'key-echo']);
const LEAKING_RECORDS: ReadonlySet<string> = new Set<RecordKind>(['write-only', 'leaked']);

/** Then what loses data, or changes it. */
const LOSES: ReadonlySet<Topic> = new Set(['changed', 'record', 'now-and-then']);

/** Defects of form, to which few clients pay attention, come last. */
const SLIGHT: ReadonlySet<Topic> = new Set([
  'refusal-status',
  'key-status',
  'error-shape',
  'error-status',
  'content-type',
  'header',
  'body-forbidden',
  'other',
]);

/**
 * The most important first: by what is at stake, then by how much else they cause, then by how many answers show them.
 */
export function compareWeight(one: Group, other: Group): number {
  return rank(one) - rank(other) || reach(other) - reach(one) || other.occurrences.length - one.occurrences.length;
}

function rank({ sign: { topic, field, detail } }: Group): number {
  if (FAILS.has(topic)) return 0;
  if (LEAKS.has(topic) || (topic === 'record' && LEAKING_RECORDS.has(detail?.split(' ')[1] ?? ''))) return 1;
  if (LOSES.has(topic)) return 2;
  return SLIGHT.has(topic) || field === 'error' ? 4 : 3;
}

/** How many other deviations are attributed to it in answers that do not show it themselves. */
function reach(group: Group): number {
  return group.consequences.filter((each) => !isWithinAnswers(each, group)).length;
}
