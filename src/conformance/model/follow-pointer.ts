import { parsePointer } from '../../contract/document/document.js';

/** What stands at a JSON Pointer; `undefined` where nothing does. */
export function followPointer(body: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    body,
  );
}
