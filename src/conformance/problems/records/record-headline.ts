import type { Group } from '../group.js';
import { joinWords, listOperations, type Occurrence } from '../occurrence.js';
import type { RecordKind } from './record-sign.js';

/** What is wrong with the records of a resource. */
export function writeRecordHeadline({ sign, occurrences }: Group): string {
  const [resource = '', kind = 'changed'] = (sign.detail ?? '').split(' ');
  const { expected, actual, rule } = (occurrences[0] as Occurrence).finding;
  const where = joinWords(listOperations(occurrences), 'and');
  const sentences: Readonly<Record<RecordKind, string>> = {
    changed: `\`${sign.field ?? ''}\` is not as it was sent in the answers of ${where}: ${actual} instead of ${withoutSource(expected)}`,
    'kept-old': `A replacement leaves \`${rule.replace(/ dropped$/, '')}\`, which it does not name, as it was (${resource})`,
    'wrong-key': `${where} answers another record than the one that was asked for`,
    'key-twice': `One key is given to several records (${resource})`,
    'too-many': `${where} answers more records than its limit: ${actual} instead of ${expected}`,
    filter: `The filter by \`${sign.field ?? ''}\` of ${where} lets other records through`,
    twice: `A record appears twice in the pages of ${where}`,
    missing: `A record that was created is not there, in the answers of ${where}`,
    'left-out': `A page or a filter of ${where} leaves out a record that the whole list has`,
    there: `A record that was removed is still there, in the answers of ${where}`,
    total: `${where} says that there are ${actual} records, and lists ${expected.split(',')[0] ?? ''}`,
    'read-only': `\`${sign.field ?? ''}\`, which is read only, is what a client made it (${resource})`,
    'write-only': `\`${sign.field ?? ''}\`, which is write only, is in the answers of ${where}`,
    'more-than-once': `What was sent once is kept more than once, in the answers of ${where}`,
    default: `\`${sign.field ?? ''}\` is ${actual} where no request names it, not its default ${expected.split(',')[0] ?? ''} (${resource})`,
    leaked: `A record is found where it does not belong, in the answers of ${where}`,
  };
  return sentences[kind as RecordKind];
}

function withoutSource(expected: string): string {
  return expected.replace(/, as (?:it was sent|another page has it)$/, '');
}
