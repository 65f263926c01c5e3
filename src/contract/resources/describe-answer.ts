import type { Operation } from '../model.js';
import { readAnswer, type Answer } from './answers.js';
import { readEnvelope } from './envelope.js';
import { locateList, locateRecord, type Located } from './find-record.js';
import type { RoleFinder } from './record-facts.js';
import type { Success } from './resource.js';

/** How an operation answers when all is well, in the words of its resource. */
export function describeAnswer(operation: Operation, finder: RoleFinder): Success {
  const answer = readAnswer(operation) ?? { status: 200, mediaType: undefined, schemaPointer: undefined };
  const { status, mediaType, schemaPointer } = answer;
  const { body, located } = findBody(answer, finder);
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
  { mediaType, schemaPointer }: Answer,
  { view, record }: RoleFinder,
): { body: Success['body']; located: Located | undefined } {
  if (mediaType === undefined) return { body: 'none', located: undefined };
  if (schemaPointer === undefined) return { body: 'other', located: undefined };
  const one = locateRecord(view, schemaPointer, record.stem, record.judge);
  if (one !== undefined) return { body: 'record', located: one };
  const list = locateList(view, schemaPointer, record.stem, record.judge);
  return list === undefined ? { body: 'other', located: undefined } : { body: 'list', located: list };
}
