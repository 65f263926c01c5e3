import { actOn } from '../../contract/gaps.js';
import type { ApiResponse } from '../../contract/message.js';
import type { ListOrder } from '../store/pet-store.js';
import type { Call } from './handler.js';

/** The order of a list for each choice of the gap `list-order`. */
export const listOrder: Readonly<Record<string, ListOrder>> = {
  'newest-first': 'newest-first',
  'oldest-first': 'oldest-first',
};

/** `GET /pets` (interface, section 4.1). */
export function listPets({ query, world }: Call): ApiResponse {
  const page = world.store.list({
    status: query['status'] as string | undefined,
    limit: query['limit'] === undefined ? undefined : Number(query['limit']),
    order: actOn(world.profile, 'list-order', listOrder),
  });
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: { value: page.map(({ pet }) => pet), text: `[${page.map(({ text }) => text).join(',')}]` },
  };
}
