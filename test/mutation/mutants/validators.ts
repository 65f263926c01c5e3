import { createHash } from 'node:crypto';
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

/** Gives a list the ETag of a part of it, which does not change with the rest. */
function tagBy(part: (text: string) => string): Change {
  return (base) => ({
    encode: (reply, exchange) => {
      const encoded = base.encode(reply, exchange);
      if (exchange.operation !== 'listPets' || encoded.status !== 200) return encoded;
      const etag = `"${createHash('sha1').update(part(encoded.bytes.toString())).digest('hex')}"`;
      return { ...encoded, headers: { ...encoded.headers, etag } };
    },
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
  ...breaking(stated.listAnswer, ['validators'], { needs }).by({
    'list-tag-of-its-first-pet: the ETag of a list is that of its first pet': tagBy((text) => text.slice(0, 80)),
  }),
} satisfies Record<string, Mutant>;
