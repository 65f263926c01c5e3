import type { RecordRule, RecordsRule } from '../model/record-rules.js';
import { within, type Given, type Mistake } from './keyword.js';
import { isRecord, show } from './shown.js';

// What a value of `record` or `records` must be for its check to judge anything.

export function findBadRecord(value: unknown, given: Given): Mistake | undefined {
  const { like, except, key, notKey, keyKind } = value as Partial<RecordRule>;
  if (except !== undefined && like === undefined)
    return { at: '/except', message: '`except` leaves out fields of `like`, and there is none.' };
  return (
    within('/like', findBadFields(like, given)) ??
    within('/key', findBadKey(key, given, keyKind)) ??
    within('/notKey', findBadKey(notKey, given, keyKind))
  );
}

export function findBadList(value: unknown, given: Given): Mistake | undefined {
  const { atMost, moreThan, has, lacks, every, keyKind } = value as Partial<RecordsRule>;
  const first = within('/atMost', findBadCount(atMost, given)) ?? within('/moreThan', findBadCount(moreThan, given));
  if (first !== undefined) return first;
  if (every !== undefined && !given.isOpen(every) && !isRecord(every))
    return { at: '/every', message: `it must name fields with their values, but is ${show(every)}.` };
  for (const [index, wanted] of (Array.isArray(has) ? has : []).entries()) {
    const mistake =
      within(`/has/${index}/like`, findBadFields(wanted.like, given)) ??
      within(`/has/${index}/key`, findBadKey(wanted.key, given, keyKind));
    if (mistake !== undefined) return mistake;
  }
  for (const [index, key] of (Array.isArray(lacks) ? lacks : []).entries()) {
    const mistake = within(`/lacks/${index}`, findBadKey(key, given, keyKind));
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

function findBadCount(value: unknown, { isOpen }: Given): Mistake | undefined {
  if (value === undefined || isOpen(value) || (Number.isInteger(value) && Number(value) >= 0)) return undefined;
  return { at: '', message: `it must be a number of records, but is ${show(value)}.` };
}

function findBadFields(value: unknown, { isOpen }: Given): Mistake | undefined {
  if (value === undefined || isOpen(value) || isRecord(value)) return undefined;
  return { at: '', message: `it must be a record, as an object, but is ${show(value)}.` };
}

function findBadKey(value: unknown, { isOpen }: Given, kind: RecordRule['keyKind']): Mistake | undefined {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  const isKey = isInteger || (kind !== 'integer' && typeof value === 'string' && value !== '');
  if (value === undefined || isOpen(value) || isKey) return undefined;
  const wanted = kind === 'integer' ? 'an integer' : 'a text or an integer';
  return { at: '', message: `it must be the key of a record, ${wanted}, but is ${show(value)}.` };
}
