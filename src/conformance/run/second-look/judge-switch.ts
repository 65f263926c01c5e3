import { printJson } from '../../../contract/document/json.js';
import { sameJson } from '../../../contract/document/same-json.js';
import type { Switch, SwitchDoubt } from '../../model/doubt.js';
import { isRecord } from '../../judge/shown.js';
import { isSameKey } from '../../judge/record-like.js';
import { followPointer } from '../../model/follow-pointer.js';
import type { WireRequest } from '../../model/wire.js';
import { readAgain } from './read-again.js';
import type { Look } from './look.js';
import type { Run } from '../run.js';

type Shown = Readonly<Record<string, unknown>>;

/** Further parameters are not tried. */
const MOST_SWITCHES = 3;

/**
 * Distinguishes a list that lacks records, or has others than it should, from one with a parameter that adds records or
 * shows a field: what it does is seen where it is left out, and where it has another value.
 */
export async function judgeSwitch(doubt: SwitchDoubt, wire: WireRequest, run: Run): Promise<Look> {
  for (const each of doubt.switches.slice(0, MOST_SWITCHES)) {
    const plain = await readList(each.parameter, undefined, { doubt, wire }, run);
    if (plain === undefined) continue;
    const { field, usual } = each;
    const isNone = field !== undefined && usual !== undefined && plain.some((record) => isOther(record, field, usual));
    // The contract says what a list without the parameter has: so it is none that chooses by the field.
    if (isNone && doubt.id === undefined && doubt.hidden === undefined) return explain(each);
    for (const value of each.values) {
      const shown = await readList(each.parameter, value, { doubt, wire }, run);
      if (shown === undefined) continue;
      if (isExplained(doubt, each, { plain, shown, value })) return explain(each);
      if (doubt.id === undefined || field !== undefined || !hasMore(shown, plain, doubt)) continue;
      // What others created meanwhile is in the list by now.
      const now = await readList(each.parameter, undefined, { doubt, wire }, run);
      if (now !== undefined && hasMore(shown, [...plain, ...now], doubt)) return explain(each);
    }
  }
  return 'defect';
}

function explain({ parameter }: Switch): Look {
  return { needs: `a list whose parameters only select records: ${parameter} adds records, or shows a field` };
}

function isExplained(
  { id, hidden, keyProperty }: SwitchDoubt,
  { field }: Switch,
  { plain, shown, value }: { plain: readonly Shown[]; shown: readonly Shown[]; value: unknown },
): boolean {
  if (hidden !== undefined) return shown.some((record) => record[hidden] !== undefined);
  const adds =
    field !== undefined &&
    shown.some((record) => sameJson(record[field], value)) &&
    !plain.some((record) => sameJson(record[field], value));
  if (id !== undefined) return adds || shown.some((record) => isSameKey(record[keyProperty], id));
  return adds && field !== undefined && shown.some((record) => isOther(record, field, value));
}

/** Whether one list has a record that the other has not. */
function hasMore(list: readonly Shown[], other: readonly Shown[], { keyProperty }: SwitchDoubt): boolean {
  return list.some((record) => !other.some((each) => isSameKey(each[keyProperty], record[keyProperty])));
}

function isOther(record: Shown, field: string, value: unknown): boolean {
  return record[field] !== undefined && !sameJson(record[field], value);
}

/** The first page of the list, with a parameter as it is wanted. */
async function readList(
  parameter: string,
  value: unknown,
  { doubt, wire }: { doubt: SwitchDoubt; wire: WireRequest },
  run: Run,
): Promise<Shown[] | undefined> {
  const [path = '', query] = wire.target.split('?');
  const asked = new URLSearchParams(query);
  if (doubt.turns !== undefined) asked.delete(doubt.turns);
  asked.delete(parameter);
  if (value !== undefined) asked.set(parameter, typeof value === 'string' ? value : printJson(value));
  const text = asked.toString();
  const body = await readAgain({ ...wire, target: text === '' ? path : `${path}?${text}` }, run);
  const list = followPointer(body, doubt.at);
  return Array.isArray(list) ? list.filter(isRecord) : undefined;
}
