// Whether a list is in the order that it was asked for. Of texts, which one comes first is the service's.
import { orderOf } from '../../contract/resources/resource.js';
import { followPointer } from '../model/follow-pointer.js';
import type { RecordsRule } from '../model/record-rules.js';
import type { CheckOutcome } from './check.js';
import { isRecord, show } from './shown.js';
import { judgeDistinct, type Listed } from './whole-list.js';

/**
 * Each record stands where the one before it lets it, in one direction from the first to the last: up or down, since a name alone
 * says neither; after a list that was asked for the other way round, in the other. What lacks the field may stand anywhere.
 * `before` is how many of them stand on the pages before the last.
 */
export function judgeOrder(all: readonly Listed[], before: number, rule: RecordsRule): CheckOutcome[] {
  const { at, keyProperty, ordered } = rule;
  if (ordered === undefined) return [];
  if (judgeDistinct(all, rule).length > 0) return [{ needs: 'pages that show no record twice' }];
  const { by } = ordered;
  const steps = listSteps(all, by);
  const [first] = steps;
  if (first === undefined) return [{ needs: `records that differ in ${by}` }];
  // What is ignored orders nothing: whether it must, the contract does not say.
  if (isSameOrder(all, readList(ordered.usual, at), keyProperty))
    return [{ needs: 'a list whose order the parameter changes' }];
  const back = steps.find(({ direction }) => direction !== first.direction);
  const place = { rule: 'order', at: `body${at}`, settles: true };
  if (back !== undefined)
    return [
      {
        ...place,
        at: `body${at}/${Math.max(0, back.index - before)}/${by}`,
        expected: `${first.direction > 0 ? 'at least' : 'at most'} ${show(back.before)}, which stands before it`,
        actual: show(back.value),
      },
    ];
  if (ordered.turned === undefined) return [];
  const others = listSteps(readList(ordered.turned, at), by);
  if (others.length === 0 || others.some(({ direction }) => direction !== first.direction)) return [];
  const [way, other] = first.direction > 0 ? ['ascending', 'descending'] : ['descending', 'ascending'];
  return [{ ...place, at: `body${at}/0/${by}`, expected: `${other} order`, actual: `${way} order` }];
}

function readList(body: unknown, at: string): Listed[] {
  const list = followPointer(body, at);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Whether the records that two lists have in common are in the same order in both. */
function isSameOrder(one: readonly Listed[], other: readonly Listed[], keyProperty: string): boolean {
  const keysOf = (list: readonly Listed[]): string[] => list.map((record) => show(record[keyProperty]));
  const [keys, others] = [keysOf(one), keysOf(other)];
  const [common, ofOther] = [keys.filter((key) => others.includes(key)), others.filter((key) => keys.includes(key))];
  return common.every((key, index) => key === ofOther[index]);
}

interface OrderStep {
  index: number;
  before: unknown;
  value: unknown;
  direction: number;
}

/** Where a value differs from the one before it. */
function listSteps(page: readonly Listed[], by: string): OrderStep[] {
  const values = page.map((record, index) => ({ index, value: record[by] })).filter(({ value }) => isRanked(value));
  return values.slice(1).flatMap(({ index, value }, at) => {
    const before = values[at]?.value;
    const direction = Math.sign(orderOf(value, before));
    return direction === 0 ? [] : [{ index, before, value, direction }];
  });
}

function isRanked(value: unknown): boolean {
  return value !== undefined && value !== null;
}
