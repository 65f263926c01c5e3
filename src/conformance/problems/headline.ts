import { withoutSource } from './changes.js';
import type { Group } from './group.js';
import { joinWords, nameOperations, type Occurrence } from './occurrence.js';
import { describeForms } from './key-forms.js';
import { describeRequests } from './requests.js';
import { showDifference } from './show-difference.js';
import { kindOf, star, type Topic } from './sign.js';

/** What is wrong, in words: a sentence without a full stop. */
export function writeHeadline(group: Group): string {
  return HEADLINES[group.sign.topic](group).replace(/\s+/g, ' ');
}

const HEADLINES: Readonly<Record<Topic, (group: Group) => string>> = {
  unanswered: (group) => `${verb(group, 'gives', 'give')} no whole answer: ${first(group).actual}${requests(group)}`,
  crash: writeCrash,
  'key-accepted': writeKeyAccepted,
  'key-status': (group) =>
    `${verb(group, 'answers', 'answer')} ${first(group).actual} instead of 401 ${describeForms(group.occurrences)}`,
  'key-refused': (group) =>
    `${verb(group, 'refuses', 'refuse')} a valid key with ${first(group).actual}${requests(group)}`,
  'success-status': (group) =>
    `${verb(group, 'answers', 'answer')} ${first(group).actual} instead of ${firstSuccess(first(group).expected)}${requests(group)}`,
  refused: writeRefused,
  accepted: writeAccepted,
  'refusal-status': (group) =>
    `${verb(group, 'answers', 'answer')} ${first(group).actual} instead of ${
      first(group)
        .expected.split(' or ')
        .findLast((status) => status.startsWith('4')) ?? first(group).expected
    }${requests(group)}`,
  'not-json': (group) => `${answers(group)} not JSON: ${first(group).actual}`,
  'no-body': (group) => `${subject(group)} no body`,
  'content-type': (group) => `${answers(group)} said to be ${first(group).actual}, not ${first(group).expected}`,
  'error-shape': writeErrorShape,
  'error-status': (group) =>
    `\`status\` in the Error body is ${first(group).actual}, not the HTTP status ${first(group).expected.split(',')[0]}${statuses(group)}`,
  'body-type': (group) =>
    `${verb(group, 'answers', 'answer')} ${kindOf(first(group).actual)} that is not ${first(group).expected}`,
  'missing-fields': (group) =>
    `${joinWords(
      (group.sign.field ?? '').split(' ').map((field) => `\`${field}\``),
      'and',
    )} of a pet ${(group.sign.field ?? '').includes(' ') ? 'are' : 'is'} missing in ${nameAnswers(group)}`,
  'field-value': (group) =>
    `\`${group.sign.field ?? ''}\` of a pet is ${group.sign.detail ?? ''} (${first(group).actual.slice(0, 60)}), not ${first(group).expected}, in ${nameAnswers(group)}`,
  'id-twice': (group) =>
    `One id is given to several pets, or stands twice in a list (${nameOperations(group.occurrences)})`,
  'stored-twice': () => 'A pet that was created once is in the list more than once',
  limit: writeLimit,
  page: () => 'A page has fewer pets than its limit although there are more',
  filter: () => 'The status filter lets pets with another status through',
  'wrong-pet': (group) => `${verb(group, 'answers', 'answer')} another \`id\` than the one of the pet`,
  changed: writeChanged,
  lost: writeLost,
  surplus: () => 'A pet that can be found by its status, or fetched, is not in the whole list',
  'refused-kept': () => 'A pet that was refused is stored all the same',
  'key-echo': (group) => `${verb(group, 'repeats', 'repeat')} the API key in an answer`,
  'body-forbidden': (group) => `${verb(group, 'announces', 'announce')} a body where HTTP has none`,
  other: (group) => {
    const { at, expected, actual } = first(group);
    return `${nameOperations(group.occurrences)}: expected ${expected.slice(0, 80)} at ${star(at)}, found ${actual.slice(0, 80)}`;
  },
};

function first({ occurrences }: Group): Occurrence['finding'] {
  return (occurrences[0] as Occurrence).finding;
}

function verb({ occurrences }: Group, one: string, several: string): string {
  const names = nameOperations(occurrences);
  return `${names} ${names.includes(' and ') ? several : one}`;
}

function requests({ occurrences }: Group): string {
  return describeRequests(occurrences);
}

function firstSuccess(expected: string): string {
  return expected.split(' or ').find((status) => status.startsWith('2')) ?? expected;
}

function writeKeyAccepted(group: Group): string {
  const isAny = group.occurrences.some(({ exchange }) => ['missing', 'wrong'].includes(exchange.request.auth));
  const what = isAny ? 'The key is not checked' : 'What is not the key is accepted for it';
  return `${what}: ${verb(group, 'serves', 'serve')} requests ${describeForms(group.occurrences)}`;
}

function writeCrash(group: Group): string {
  const refused = listRefused(group.occurrences);
  if (group.sign.detail === 'key')
    return `${verb(group, 'fails', 'fail')} with ${first(group).actual} ${describeForms(group.occurrences)}`;
  const at = refused.length === 0 ? requests(group) : ` for ${nameSome(refused)}`;
  return `${verb(group, 'fails', 'fail')} with ${first(group).actual}${at}`;
}

function writeRefused(group: Group): string {
  const { detail = '' } = group.sign;
  const isOdd = group.occurrences.every(({ exchange }) => exchange.request.auth !== 'valid');
  const forms = isOdd ? ` ${describeForms(group.occurrences)}` : '';
  return `${verb(group, 'refuses', 'refuse')} with ${detail} what the contract allows${forms}${requests(group)}`;
}

/** What the scenarios' titles say that it refuses. */
function listRefused(occurrences: readonly Occurrence[]): string[] {
  const named = occurrences.flatMap(({ scenario: { title } }) => {
    const [, what] = / refuses (.+)$/.exec(title) ?? [];
    return what === undefined ? [] : [what.replaceAll('-', ' ')];
  });
  return [...new Set(named)];
}

function writeAccepted(group: Group): string {
  const refused = listRefused(group.occurrences);
  if (refused.length > 0)
    return `${nameOperations(group.occurrences)} accepts ${nameSome(refused)}, which the contract does not allow`;
  const { actual, expected } = first(group);
  return `${verb(group, 'answers', 'answer')} ${actual} instead of ${expected}${requests(group)}`;
}

function nameSome(words: readonly string[]): string {
  const rest = words.length - MOST_NAMED;
  return rest <= 0 ? joinWords(words, 'and') : `${words.slice(0, MOST_NAMED).join(', ')} and ${rest} more`;
}

const MOST_NAMED = 4;

function nameAnswers({ occurrences }: Group): string {
  return `the answers of ${nameOperations(occurrences)}`;
}

function listStatuses({ occurrences }: Group): string[] {
  return [...new Set(occurrences.map(({ exchange }) => String(exchange.response?.status ?? '')))].filter(Boolean);
}

function statuses(group: Group): string {
  return ` (answers ${joinWords(listStatuses(group), 'and')})`;
}

function subject(group: Group): string {
  if (group.sign.field !== 'error')
    return `${verb(group, 'answers', 'answer')} ${joinWords(listStatuses(group), 'and')} with`;
  return `Errors (${joinWords(listStatuses(group), 'and')}) have`;
}

function answers(group: Group): string {
  return group.sign.field === 'error'
    ? `Errors (${joinWords(listStatuses(group), 'and')}) are`
    : group.sign.field === 'any'
      ? 'All answers are'
      : `The answers of ${nameOperations(group.occurrences)} are`;
}

function writeErrorShape(group: Group): string {
  const missing = new Set<string>();
  const others = new Set<string>();
  for (const { at, rule, actual, expected } of group.occurrences.map(({ finding }) => finding)) {
    const field = at.split('/')[1];
    if (field === undefined) others.add(`is ${kindOf(actual)}, not ${expected}`);
    else if (rule === 'required') missing.add(`\`${field}\``);
    else others.add(`has ${kindOf(actual)} as \`${field}\`, not ${expected}`);
  }
  const lacks = missing.size === 0 ? [] : [`lacks ${joinWords([...missing], 'and')}`];
  return `The Error body ${joinWords([...lacks, ...others], 'and')}${statuses(group)}`;
}

function writeLimit(group: Group): string {
  const { actual, expected } = first(group);
  const rules = new Set(group.occurrences.map(({ finding }) => finding.rule));
  const isDefault = rules.has('default');
  const which =
    rules.size > 1
      ? 'neither `limit` nor its default is kept'
      : isDefault
        ? 'the default of `limit` is not kept'
        : '`limit` is not kept';
  const [, most] = /at most (\d+)/.exec(expected) ?? [];
  return `listPets answers too many pets, ${which}: ${actual} instead of at most ${most ?? expected}`;
}

function writeChanged(group: Group): string {
  const { field = '', detail } = group.sign;
  const where = nameOperations(group.occurrences);
  if (field === 'name' && detail !== undefined) return `Names ${detail} in the answers of ${where}`;
  if (field === 'categoryId' && detail !== undefined)
    return `Integers ${detail} (\`categoryId\` in the answers of ${where})`;
  const { actual, expected } = showDifference(
    withoutSource(first(group).expected),
    withoutSource(first(group).actual),
    60,
  );
  return `\`${field}\` of a pet changes in the answers of ${where}: ${actual} instead of ${expected}`;
}

function writeLost(group: Group): string {
  const fetches = group.occurrences.filter(({ finding }) => finding.at === 'status');
  if (fetches.length === group.occurrences.length)
    return `getPet answers 404 for a pet that exists${describeRequests(fetches)}`;
  if (fetches.length > 0) return 'A pet that was created is missing from lists and cannot be fetched';
  const isFiltered = group.occurrences.every(({ exchange }) => exchange.request.path.includes('status='));
  return isFiltered
    ? 'A list filtered by status lacks pets that have the status'
    : 'A list that is complete lacks a pet that exists';
}
