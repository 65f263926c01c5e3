import type { Observer, SeenExchange } from '../../../../src/conformance/engine/gap-observers.js';
import { observers, watchSubject, type Watched } from '../../../../src/conformance/engine/gap-observers.js';
import { readSubjects, type Subject } from '../../../../src/conformance/resources/resource-under-test.js';
import { shippedContract } from '../../../support/shipped.js';

export type Pet = Record<string, unknown>;

/** The pets of the shipped contract, as observers look at them. */
export const watchedPets: Watched = watchSubject(readSubjects(shippedContract)[0] as Subject, shippedContract);

/** An exchange as observers see it: by default, a sound answer to `GET /pets`. */
export function see(
  operationId: string,
  seen: Partial<Omit<SeenExchange, 'sent'>> & { sent?: object } = {},
): SeenExchange {
  const operation = shippedContract.operations.find(({ id }) => id === operationId);
  return {
    status: 200,
    headers: {},
    body: [],
    sentAt: 0,
    answeredAt: 0,
    ...seen,
    sent: {
      method: operation?.method ?? 'GET',
      shownAs: operation?.path ?? '/other',
      operation,
      authorized: true,
      query: {},
      path: {},
      validParameters: true,
      violations: [],
      bodyLength: 0,
      json: undefined,
      ...seen.sent,
    },
  };
}

/** What the observer of a gap concludes from exchanges. */
export function conclude(gap: string, exchanges: readonly SeenExchange[], now = '2026-11-21'): unknown {
  const conclusion = concludeWhole(gap, exchanges, now);
  return 'answer' in conclusion ? conclusion.answer : `not observed: ${conclusion.notObserved}`;
}

/** {@link conclude}, with the evidence. */
export function concludeWhole(
  gap: string,
  exchanges: readonly SeenExchange[],
  now = '2026-11-21',
): ReturnType<Observer['conclude']> {
  const observer = observers[gap]?.({
    contract: shippedContract,
    watched: watchedPets,
    now: Date.parse(now),
  }) as Observer;
  for (const exchange of exchanges) {
    observer.note?.(exchange);
    observer.hear?.(exchange);
  }
  return observer.conclude();
}

let time = 0;

/** A pet that is created after all that were created before. */
export function create(pet: Pet, exchange: Partial<SeenExchange> = {}): SeenExchange {
  time += 10;
  const { id: _id, ...sent } = pet;
  return see('createPet', {
    status: 201,
    body: pet,
    sentAt: time,
    answeredAt: time + 5,
    sent: { json: sent },
    ...exchange,
  });
}
