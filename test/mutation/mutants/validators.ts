import type { Change, Exchange, OperationId } from '../server/behaviour.js';
import { answerVariants } from '../variants/answers.js';
import { breaking, type Mutant } from './mutant.js';
import { refuseWhen } from './planting.js';
import { stated } from './stated.js';

const needs = answerVariants['etag-and-304'].change;

/** Whether a request has a tag of that variant. */
function hasTag(operation: OperationId): (exchange: Exchange) => boolean {
  return (exchange) =>
    exchange.operation === operation && /^"[\da-f]{40}"$/.test(exchange.headers['if-none-match'] ?? '');
}

/** Looks at the tag before it looks at the key. */
function opens(operation: OperationId): Change {
  return (base) => ({
    intercept: (exchange) =>
      exchange.headers.authorization === undefined && hasTag(operation)(exchange)
        ? { status: 304, headers: {}, json: undefined }
        : base.intercept(exchange),
  });
}

/** Mutants that the ETag of an earlier response shows. */
export const validatorMutants = {
  ...breaking(stated.everyOperation, ['status'], { needs }).by({
    'known-list-needs-no-key: who has the ETag of a list gets 304 without a key': opens('listPets'),
    'known-pet-needs-no-key: who has the ETag of a pet gets 304 without a key': opens('getPet'),
  }),
  ...breaking(stated.getAnswer, ['status'], { needs }).by({
    'unchanged-pet-412: who has the ETag of a pet gets 412': refuseWhen(hasTag('getPet'), 412),
  }),
} satisfies Record<string, Mutant>;
