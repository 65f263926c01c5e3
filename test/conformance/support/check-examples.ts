import type { Exchanged } from './check-context.js';

export const rex = { id: 1, name: 'Rex', categoryId: 7, status: 'sold' };
export const tom = { id: 2, name: 'Tom', categoryId: 7 };
export const error = (status: number): object => ({ code: 'some_code', message: 'A message.', status });
export const many = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ ...tom, id: index + 1 }));
export const created = (body: object, more: Exchanged = {}): Exchanged => ({
  operation: 'createPet',
  status: 201,
  body,
  sent: { json: { name: 'Rex', categoryId: 7, status: 'sold' } },
  ...more,
});
export const fetched = (body: unknown, more: Exchanged = {}): Exchanged => ({
  operation: 'getPet',
  body,
  sent: { path: { petId: 1 } },
  ...more,
});

/** Exchanges in which a check finds nothing, and some in which it does. */
export interface CheckExamples {
  sound: Record<string, Exchanged>;
  /** With what the check says: `rule at`, or `needs`. */
  broken: Record<string, [exchanged: Exchanged, ...says: string[]]>;
}
