import type { Group } from './group.js';
import { nameOperations } from './occurrence.js';
import type { RecordKind } from './records/record-sign.js';
import type { Topic } from './sign.js';

const CHECKED: Readonly<Record<Exclude<Topic, 'record'>, string>> = {
  unanswered: 'complete response',
  crash: 'status below 500',
  'key-accepted': 'rejection of a missing or wrong key',
  'scope-accepted': 'rejection of a token without the scope',
  'key-status': 'status 401 for a missing or wrong key',
  'key-refused': 'acceptance of a valid key',
  'error-as-success': 'status of an error',
  'success-status': 'status of a success',
  refused: 'acceptance of a valid request',
  accepted: 'rejection of an invalid request',
  'refusal-status': 'status of a rejection',
  'not-json': 'JSON body',
  'no-body': 'body',
  'content-type': 'media type',
  'error-shape': 'Error body',
  'error-status': '`status` in the Error body',
  'body-type': 'type of the body',
  'missing-fields': 'required field',
  'field-value': 'value by the schema',
  header: 'header field',
  changed: 'unchanged value',
  'key-echo': 'no API key in a response',
  'body-forbidden': 'no body where HTTP has none',
  'now-and-then': 'equal responses to equal requests',
  other: 'contract',
};

const CHECKED_OF_RECORDS: Readonly<Record<RecordKind, string>> = {
  changed: 'value as it was sent',
  'kept-old': 'removal of what a replacement leaves out',
  'not-merged': 'merge patch',
  'wrong-key': 'record that was asked for',
  'key-twice': 'a key for each record',
  'too-many': 'limit',
  short: 'full page',
  filter: 'filter',
  'later-pages': 'filter on later pages',
  twice: 'each record once',
  missing: 'created record',
  'left-out': 'complete list',
  there: 'absence of a deleted record',
  leaked: 'records of one parent alone',
  total: 'total',
  'more-than-once': 'one record for one create',
  stale: 'validator',
  'read-only': 'read-only field',
  'write-only': 'write-only field',
  default: 'default',
  refused: 'absence of what was rejected',
  address: '`Location`',
  order: 'order',
  parent: 'parent of a record',
  taken: 'unique value',
};

/** What did not hold, without a word of its cause: ``filter `status` of listPets``. */
export function nameChecked({ sign, occurrences }: Group): string {
  const { topic, detail = '', field = '' } = sign;
  const what = topic === 'record' ? CHECKED_OF_RECORDS[detail.split(' ')[1] as RecordKind] : CHECKED[topic];
  const isOfField = field !== '' && !['any', 'error', 'success'].includes(field);
  const named = isOfField
    ? field
        .split(' ')
        .map((name) => ` \`${name}\``)
        .join(',')
    : '';
  return `${what}${named} of ${nameOperations(occurrences)}`;
}
