import { cutText, printJson } from '../../contract/document/json.js';
import { showDifference } from './show-difference.js';

/** A record as an answer shows it: any JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The records of a list; `undefined` if the value is no list. */
export function listRecords(list: unknown): JsonObject[] | undefined {
  return Array.isArray(list) ? list.filter(isRecord) : undefined;
}

/** A value as JSON, or `absent`, cut to fit a line of a report. */
export function show(value: unknown): string {
  return value === undefined ? 'absent' : cutText(printJson(value), MAX_SHOWN);
}

/** Two different values, both cut around their first difference. */
export function showPair(expected: unknown, actual: unknown): { expected: string; actual: string } {
  return showDifference(print(expected), print(actual));
}

function print(value: unknown): string {
  return value === undefined ? 'absent' : printJson(value);
}

const MAX_SHOWN = 160;
