import { parseNumberLiteral } from '../../contract/document/json.js';
import { PetstoreMockError } from '../../errors.js';
import type { Given, Source } from './sources.js';
import { readBoolean } from '../options/read-boolean.js';

/** Options by name, from the first source that has them; what cannot be read is refused with where it was given. */
export interface Pick {
  given(name: string): Given | undefined;
  /** Of several the last. */
  text(name: string): string | undefined;
  list(name: string): string[] | undefined;
  isOn(name: string): boolean;
  /** From 0. */
  number(name: string): number | undefined;
  /** Above 0. */
  positive(name: string): number | undefined;
  whole(name: string, least: number): number | undefined;
  int64(name: string): number | bigint | undefined;
}

/** The first source counts before the second, and so on. */
export function createPick(sources: readonly Source[]): Pick {
  const given = (name: string): Given | undefined => sources.find((source) => source.has(name))?.get(name);
  const read = <T>(name: string, parse: (text: string, where: string) => T): T | undefined => {
    const found = given(name);
    const text = found?.texts.at(-1);
    return found === undefined || text === undefined ? undefined : parse(text, found.where);
  };
  return {
    given,
    text: (name) => given(name)?.texts.at(-1),
    list: (name) => given(name)?.texts,
    isOn: (name) => read(name, requireBoolean) ?? false,
    number: (name) => read(name, readNumber),
    positive: (name) => read(name, readPositive),
    whole: (name, least) => read(name, (text, where) => readWhole(text, where, least)),
    int64: (name) => read(name, readInt64),
  };
}

function requireBoolean(text: string, where: string): boolean {
  const value = readBoolean(text);
  if (value === undefined) throw bad(`${where} takes true or false, not ${text}.`);
  return value;
}

function readNumber(text: string, where: string): number {
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text)) return Number(text);
  throw bad(`${where} takes a number from 0${describeUnit(text)}, not ${text}.`);
}

/** `10s`, `90%`, `5/s`: the number is right, and what follows it is known. */
function describeUnit(text: string): string {
  return /^[\d.]+\s*(?:m?s|sec|%|\/s)$/.test(text) ? ' without a unit' : '';
}

function readPositive(text: string, where: string): number {
  const value = readNumber(text, where);
  if (value === 0) throw bad(`${where} takes a number above 0.`);
  return value;
}

function readWhole(text: string, where: string, least: number): number {
  const value = readNumber(text, where);
  if (Number.isInteger(value) && value >= least) return value;
  throw bad(`${where} takes a whole number from ${least}, not ${text}.`);
}

function readInt64(text: string, where: string): number | bigint {
  const value = parseNumberLiteral(text);
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return value;
  throw bad(`${where} takes an integer, not ${text}.`);
}

export function bad(message: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', message);
}
