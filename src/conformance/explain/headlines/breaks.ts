import { cutText } from '../../../contract/document/cut-text.js';
import type { BrokenOnPurpose } from '../../model/sent-request.js';
import type { Occurrence } from '../occurrence.js';
import { joinWords } from '../occurrence.js';
import { kindOf } from '../kind-of.js';

const MOST_NAMED = 4;
const LONGEST_VALUE = 30;
const LONGEST_RULE = 70;

/**
 * What the requests that show a problem break, in words: `a missing name, a status that is "new" and 3 more`; empty for
 * requests that break nothing.
 */
export function describeBreaks(occurrences: readonly Occurrence[]): string {
  const broken = listFirsts(occurrences);
  // A field that all of them break is named once.
  const fields = new Set(broken.map(nameField));
  const [field = ''] = fields;
  const isOfOneField = fields.size === 1 && field !== '';
  const names = broken.map((each) => (isOfOneField ? describeValue(each) : nameBreak(each)));
  const named = listSome([...new Set(names)]);
  return isOfOneField && named !== '' ? `\`${field}\` ${named}` : named;
}

/** {@link describeBreaks}, with what the contract says instead if that is one thing. */
export function describeAccepted(occurrences: readonly Occurrence[]): string {
  const named = describeBreaks(occurrences);
  const broken = listFirsts(occurrences);
  const [rule = '', ...others] = new Set(broken.map((each) => (nameField(each) === '' ? '' : (each.expected ?? ''))));
  const isOfOneRule = rule !== '' && others.length === 0 && new Set(broken.map(({ at }) => at)).size === 1;
  if (named === '' || !isOfOneRule) return named === '' ? '' : `${named}, which the contract does not allow`;
  return `${named}, though it must be ${cutText(rule, LONGEST_RULE)}`;
}

function listFirsts(occurrences: readonly Occurrence[]): BrokenOnPurpose[] {
  return occurrences.flatMap(({ exchange }) => exchange.request.breaks?.[0] ?? []);
}

function listSome(named: readonly string[]): string {
  const rest = named.length - MOST_NAMED;
  return rest <= 0 ? joinWords(named, 'and') : `${named.slice(0, MOST_NAMED).join(', ')} and ${rest} more`;
}

/** The field whose value is wrong; empty for one that is missing or should be, and for a body as a whole. */
function nameField(broken: BrokenOnPurpose): string {
  return describePresence(broken) === undefined ? pointTo(broken) : '';
}

function pointTo({ at }: BrokenOnPurpose): string {
  return at.split('/').slice(1).join('/');
}

/** A field is missing, or should be. */
function describePresence(broken: BrokenOnPurpose): string | undefined {
  const whole = broken.at.startsWith('body') ? 'body' : 'request';
  if (broken.rule === 'required') return `a ${whole} without \`${pointTo(broken)}\``;
  return UNDEFINED.has(broken.rule) ? `a ${whole} with \`${pointTo(broken)}\`` : undefined;
}

const UNDEFINED: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties']);

function nameBreak(broken: BrokenOnPurpose): string {
  const field = nameField(broken);
  if (field !== '') return `\`${field}\` ${describeValue(broken)}`;
  const { rule, actual } = broken;
  return (
    describePresence(broken) ?? (rule === 'json' ? actual : `${kindOf(actual).replace('text', 'a text')} as a body`)
  );
}

/** If a value has the right type, the value says what is wrong with it; otherwise its type. What a query has is text. */
function describeValue({ at, rule, actual }: BrokenOnPurpose): string {
  if (/^(?:null|true|false)$/.test(actual)) return actual;
  if (actual.length <= LONGEST_VALUE && (rule !== 'type' || !at.startsWith('body'))) return actual;
  const kind = kindOf(actual);
  return TOO_LONG[rule] === undefined ? `as ${kind}` : `as ${kind.replace('text', 'a text')} ${TOO_LONG[rule]}`;
}

/** What is wrong with a value of the right type that is too long to be shown. */
const TOO_LONG: Readonly<Record<string, string>> = {
  maxLength: 'that is too long',
  minLength: 'that is too short',
  maxItems: 'that is too long',
  minItems: 'that is too short',
  pattern: 'that does not match its pattern',
  uniqueItems: 'with equal items',
};
