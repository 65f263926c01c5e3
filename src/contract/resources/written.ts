import type { Operation } from '../model.js';
import type { Inferred } from './resource.js';

/** The inferred resources as JSON, with ids instead of operations. */
export function writeInferred(inferred: Inferred): string {
  return JSON.stringify(inferred, (key, value: unknown) =>
    key === 'operation' ? (value as Pick<Operation, 'id'>).id : value,
  );
}

/** The result of {@link writeInferred}, with the contract's operations. */
export function readInferred(written: string, operations: readonly Operation[]): Inferred {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return JSON.parse(written, (key, value: unknown) =>
    key === 'operation' ? byId.get(String(value)) : value,
  ) as Inferred;
}
