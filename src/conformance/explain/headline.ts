import { cutText } from '../../contract/document/cut-text.js';
import { ENVELOPE } from '../judge/body.js';
import { valueOf } from './changes.js';
import type { Group } from './group.js';
import { joinWords, nameOperations, type Occurrence } from './occurrence.js';
import { describeAccepted } from './headlines/breaks.js';
import { describeForms, describeUnsecured, nameUnchecked } from './headlines/key-forms.js';
import { writeRecordHeadline } from './records/record-headline.js';
import type { Finding, ScenarioResult } from '../model/result.js';
import { writeCrash } from './headlines/crash.js';
import { describeCondition } from './headlines/share.js';
import {
  answers,
  describeMany,
  first,
  itemOf,
  listStatuses,
  nameAnswers,
  nameFields,
  requests,
  saidStatus,
  statuses,
  subject,
  verb,
} from './headlines/parts.js';
import { showDifference, spellUnseen } from '../judge/show-difference.js';
import { kindOf } from './kind-of.js';
import { fieldOf, star, type Topic } from './sign.js';
import { UNDEFINED } from './of-object.js';

/** What is wrong, in words: a sentence without a full stop. `scenarios` are all of the run. */
export function writeHeadline(group: Group, scenarios: readonly ScenarioResult[]): string {
  return spellUnseen(HEADLINES[group.sign.topic](group, scenarios))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^the service\b/, 'The service');
}

const HEADLINES: Readonly<Record<Topic, (group: Group, scenarios: readonly ScenarioResult[]) => string>> = {
  unanswered: (group) =>
    `${verb(group, 'gives', 'give')} no complete response: ${first(group).actual}${requests(group)}`,
  crash: writeCrash,
  'key-accepted': writeKeyAccepted,
  'scope-accepted': writeKeyAccepted,
  'key-status': (group) =>
    `${verb(group, 'returns', 'return')} ${saidStatus(group)} instead of 401 ${describeForms(group.occurrences)}`,
  'key-refused': writeKeyRefused,
  'error-as-success': (group) =>
    `${verb(group, 'returns', 'return')} ${joinWords(listStatuses(group), 'and')} with an Error body`,
  'success-status': (group) =>
    `${verb(group, 'returns', 'return')} ${first(group).actual} instead of ${firstSuccess(first(group))}${requests(group)}`,
  refused: writeRefused,
  accepted: writeAccepted,
  'refusal-status': (group) =>
    `${verb(group, 'returns', 'return')} ${saidStatus(group)} instead of ${
      first(group).wanted?.findLast((status) => status.startsWith('4')) ?? first(group).expected
    }${requests(group)}`,
  'not-json': (group) => `${answers(group)} not JSON: ${first(group).actual}`,
  'no-body': (group) => `${subject(group)} no body`,
  'content-type': (group) => `${answers(group)} said to be ${first(group).actual}, not ${first(group).expected}`,
  'error-shape': writeErrorShape,
  'error-status': (group) =>
    `\`status\` in the Error body is ${first(group).actual}, not the HTTP status ${valueOf(first(group))}${statuses(group)}`,
  'body-type': writeBodyType,
  'missing-fields': (group) =>
    `${nameFields(group)} of a record ${(group.sign.field ?? '').includes(' ') ? 'are' : 'is'} missing in ${nameAnswers(group)}`,
  'field-value': writeFieldValue,
  header: writeHeader,
  changed: writeChanged,
  'key-echo': (group) => `${verb(group, 'repeats', 'repeat')} the API key in a response`,
  'body-forbidden': (group) => `${verb(group, 'announces', 'announce')} a body where HTTP has none`,
  record: writeRecordHeadline,
  'now-and-then': (group) => `Flaky: ${describeMany(group)}`,
  other: writeOther,
};

function writeHeader(group: Group): string {
  const { rule, expected, actual } = first(group);
  if (rule === 'required') {
    const names = [...new Set(group.occurrences.map(nameHeader))];
    return `${subject(group)}out the header ${names.length > 1 ? 'fields' : 'field'} ${joinWords(names, 'and')}`;
  }
  return `${verb(group, 'returns', 'return')} ${joinWords(listStatuses(group), 'and')} with ${nameHeader(group.occurrences[0] as Occurrence)} ${cutText(actual, 80)}, not ${cutText(expected, 80)}`;
}

/** As the contract writes it where it describes it; a component has a name of its own. */
function nameHeader({ finding: { at, contract } }: Occurrence): string {
  const name = at.slice('header/'.length);
  return `\`${contract?.pointer.split('/').find((part) => part.toLowerCase() === name) ?? name}\``;
}

function writeOther(group: Group): string {
  const { at, expected, actual } = first(group);
  if (at.startsWith('header/')) return writeHeader(group);
  return `${nameOperations(group.occurrences)}: expected ${cutText(expected, 80)} at ${star(at)}, found ${cutText(actual, 80)}`;
}

function writeBodyType(group: Group): string {
  const { rule, actual, expected } = first(group);
  const members = [...new Set(group.occurrences.map(({ finding }) => `\`${fieldOf(finding.at) ?? ''}\``))];
  return rule === ENVELOPE
    ? `${verb(group, 'wraps', 'wrap')} the response in ${joinWords(members, 'or')}, which the contract does not describe`
    : `${verb(group, 'returns', 'return')} ${itemOf(group)}${kindOf(actual)}, not ${expected}`;
}

function firstSuccess({ wanted, expected }: Finding): string {
  return wanted?.find((status) => status.startsWith('2')) ?? expected;
}

function writeKeyAccepted(group: Group): string {
  return `${nameUnchecked(group.occurrences)}: ${verb(group, 'serves', 'serve')} requests ${describeForms(group.occurrences)} ${describeUnsecured(group.occurrences)}`.trimEnd();
}

function writeRefused(group: Group, scenarios: readonly ScenarioResult[]): string {
  const { detail = '' } = group.sign;
  const common = describeCondition(group, scenarios);
  return `${verb(group, 'rejects', 'reject')} with ${detail} what the contract allows${oddForms(group)}${common}`;
}

function writeKeyRefused(group: Group): string {
  return `${verb(group, 'rejects', 'reject')} a valid key with ${first(group).actual}${oddForms(group)}${requests(group)}`;
}

/** How the key was sent, if no request sent it plainly. */
function oddForms({ occurrences }: Group): string {
  const isOdd = occurrences.every(({ exchange }) => exchange.request.auth !== 'valid');
  return isOdd ? ` ${describeForms(occurrences)}` : '';
}

function writeAccepted(group: Group): string {
  const broken = describeAccepted(group.occurrences);
  if (broken !== '') return `${verb(group, 'accepts', 'accept')} ${broken}`;
  const { actual, expected } = first(group);
  return `${verb(group, 'returns', 'return')} ${actual} instead of ${expected}${requests(group)}`;
}

function writeErrorShape(group: Group): string {
  const missing = new Set<string>();
  const others = new Set<string>();
  for (const { at, rule, actual, expected } of group.occurrences.map(({ finding }) => finding)) {
    const field = at.split('/').slice(1).join('/');
    if (field === '') others.add(`is ${kindOf(actual)}, not ${expected}`);
    else if (rule === 'required') missing.add(`\`${field}\``);
    else others.add(`has ${kindOf(actual)} as \`${field}\`, not ${expected}`);
  }
  const lacks = missing.size === 0 ? [] : [`lacks ${joinWords([...missing], 'and')}`];
  return `The Error body ${joinWords([...lacks, ...others], 'and')}${statuses(group)}`;
}

function writeChanged(group: Group): string {
  const { field = '', detail } = group.sign;
  const where = nameOperations(group.occurrences);
  const { actual, expected } = showDifference(valueOf(first(group)), first(group).actual, 60);
  if (detail !== undefined)
    return `${/^["…]/.test(actual) ? 'Texts' : 'Integers'} ${detail} (\`${field}\` in responses of ${where})`;
  if (actual === 'absent')
    return `\`${field}\` of a record is missing in responses of ${where}, though it is ${expected}`;
  if (group.occurrences.every(({ finding }) => valueOf(finding) === 'absent'))
    return `\`${field}\` of a record without it is ${actual} in responses of ${where}`;
  return `\`${field}\` of a record changes in responses of ${where}: ${actual} instead of ${expected === 'absent' ? 'none' : expected}`;
}

/** Fields with values that the contract does not allow, or that it does not have. */
function writeFieldValue(group: Group): string {
  const isOfSeveral = (group.sign.field ?? '').includes(' ');
  const named = `${nameFields(group)} of a record`;
  if (group.sign.detail === UNDEFINED)
    return `${named}, which the contract does not define, ${isOfSeveral ? 'are' : 'is'} in ${nameAnswers(group)}`;
  return `${named} ${isOfSeveral ? 'are' : 'is'} ${describeValue(group)}, ${describeDue(group)}, in ${nameAnswers(group)}`;
}

function describeValue(group: Group): string {
  const { actual } = first(group);
  const kind = kindOf(actual);
  return kind === actual ? kind : `${kind} (${cutText(actual, 60)})`;
}

/** Of fields of several kinds, no kind is due for all. */
function describeDue({ occurrences }: Group): string {
  const [due = '', ...others] = new Set(occurrences.map(({ finding }) => finding.expected));
  return others.length === 0 ? `not ${due}` : 'which the contract does not allow';
}
