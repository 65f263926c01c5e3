import { asList } from '../../document/plain.js';
import type { Operation } from '../../model.js';
import { isLikeRecord, type RoleFinder } from '../record-facts.js';
import type { Success } from '../resource.js';
import { findRequestContent } from './answers.js';

/** Whether a request has one record, or a list of them. */
export function takesEither(operation: Operation, { view, record }: RoleFinder): boolean {
  const body = view.settle(findRequestContent(operation)?.schemaPointer ?? '');
  return ['oneOf', 'anyOf'].some((composition) =>
    asList(view.schema(body)[composition]).some((_, index) => {
      const items = view.items(`${body}/${composition}/${index}`);
      return items !== undefined && isLikeRecord(view, items, record);
    }),
  );
}

/** The answer to one of those may be one record, though the contract speaks of a list alone. */
export function answersEither(success: Success): Success {
  return { ...success, body: 'other', envelope: undefined, recordPointer: undefined };
}
