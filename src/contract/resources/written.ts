import type { Operation } from '../model.js';
import type { Inferred } from './resource.js';

/** What is inferred as JSON, with the id of each operation in its place. */
export function writeInferred(inferred: Inferred): string {
  return JSON.stringify(inferred, (key, value: unknown) =>
    key === 'operation' ? (value as Pick<Operation, 'id'>).id : value,
  );
}

/** What {@link writeInferred} wrote, with the operations of the contract. */
export function readInferred(written: string, operations: readonly Operation[]): Inferred {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return JSON.parse(written, (key, value: unknown) =>
    key === 'operation' ? byId.get(String(value)) : value,
  ) as Inferred;
}
