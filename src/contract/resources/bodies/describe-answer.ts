import type { Operation } from '../../model.js';
import { readAnswer, type SuccessfulAnswer } from './answers.js';
import { readEnvelope } from './envelope.js';
import { follow, locateList, locateMap, locateRecord, type Located } from './find-record.js';
import type { RoleFinder } from '../record-facts.js';
import type { Success } from '../resource.js';

/** The successful answer of an operation in terms of its resource. */
export function describeAnswer(operation: Operation, finder: RoleFinder): Success {
  const answer = readAnswer(operation) ?? { status: 200, mediaType: undefined, schemaPointer: undefined };
  const { status, mediaType, schemaPointer } = answer;
  const { body, located } = findBody(operation, answer, finder);
  const { view } = finder;
  const isEnveloped = schemaPointer !== undefined && located !== undefined && located.member.length > 0;
  return {
    status,
    mediaType,
    body,
    envelope: isEnveloped ? readEnvelope(view, schemaPointer, located.member) : undefined,
    schemaPointer,
    recordPointer: located?.pointer,
  };
}

function findBody(
  operation: Operation,
  { mediaType, schemaPointer }: SuccessfulAnswer,
  { view, record }: RoleFinder,
): { body: Success['body']; located: Located | undefined } {
  if (mediaType === undefined) return { body: 'none', located: undefined };
  if (schemaPointer === undefined) return { body: 'other', located: undefined };
  const one = locateAs(locateRecord, record.members.record, { view, record, body: schemaPointer });
  if (one !== undefined) return { body: 'record', located: one };
  const list = locateAs(locateList, record.members.list, { view, record, body: schemaPointer });
  if (list !== undefined) return { body: 'list', located: list };
  const map = operation.method === 'GET' ? locateMap(view, schemaPointer, record.stem, record.judge) : undefined;
  return map === undefined ? { body: 'other', located: undefined } : { body: 'map', located: map };
}

/** The place that the user states, if there is such a record, else the place that is found. */
function locateAs(
  locate: typeof locateRecord,
  member: readonly string[] | undefined,
  { view, record, body }: Pick<RoleFinder, 'view' | 'record'> & { body: string },
): Located | undefined {
  const there = member === undefined ? undefined : follow(view, body, member);
  const isSaid = there !== undefined && record.judge(there.pointer) !== undefined;
  const isList = there !== undefined && isSaid && view.items(there.pointer) !== undefined;
  return isSaid && !isList ? there : locate(view, body, record.stem, record.judge);
}
