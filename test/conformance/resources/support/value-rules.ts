// What the services of this folder ask of a value.
import type { Item } from '../../../support/network/serve-json.js';

export type Rule = (value: unknown) => boolean;

export const isText =
  (least: number, most: number): Rule =>
  (value) =>
    typeof value === 'string' && value.length >= least && value.length <= most;
export const isCount =
  (least: number, most: number): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
export const isOneOf =
  (...values: unknown[]): Rule =>
  (value) =>
    values.includes(value);
export const isFlag: Rule = (value) => typeof value === 'boolean';
export const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
