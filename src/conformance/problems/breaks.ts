import type { BrokenOnPurpose } from '../result.js';
import type { Occurrence } from './occurrence.js';
import { joinWords } from './occurrence.js';
import { kindOf } from './kind-of.js';

const MOST_NAMED = 4;
const LONGEST_VALUE = 30;

/**
 * What the requests that show a problem break, in words: `a missing name, a status that is "new" and 3 more`; empty for
 * requests that break nothing.
 */
export function describeBreaks(occurrences: readonly Occurrence[]): string {
  const firsts = occurrences.flatMap(({ exchange }) => exchange.request.breaks?.[0] ?? []);
  const named = [...new Set(firsts.map(nameBreak))];
  const rest = named.length - MOST_NAMED;
  return rest <= 0 ? joinWords(named, 'and') : `${named.slice(0, MOST_NAMED).join(', ')} and ${rest} more`;
}

function nameBreak({ at, rule, actual }: BrokenOnPurpose): string {
  const field = at.split('/').slice(1).join('/');
  if (field === '') return rule === 'json' ? actual : `${kindOf(actual).replace('text', 'a text')} as a body`;
  if (rule === 'required') return `a ${at.startsWith('body') ? 'body' : 'request'} without \`${field}\``;
  // If a value has the right type, the headline names the value; otherwise its type.
  const isValue = rule !== 'type' && actual.length <= LONGEST_VALUE;
  return `\`${field}\` ${isValue || /^(?:null|true|false)$/.test(actual) ? actual : `as ${kindOf(actual)}`}`;
}
