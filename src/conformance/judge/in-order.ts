// Whether a list is in the order that it was asked for. Of texts, which one comes first is the service's.
import { orderOf } from '../../contract/resources/order-values.js';
import { followPointer } from '../model/follow-pointer.js';
import type { RecordsRule } from '../model/record-rules.js';
import type { CheckOutcome } from './check.js';
import { isPet as isRecord, show } from './pets.js';
import type { Listed } from './whole-list.js';

/**
 * Each record stands where the one before it lets it, in one direction from the first to the last: up or down, since a name alone
 * says neither; after a list that was asked for the other way round, in the other. What lacks the field may stand anywhere.
 */
export function judgeOrder(page: readonly Listed[], { at, ordered }: RecordsRule): CheckOutcome[] {
  if (ordered === undefined) return [];
  const { by } = ordered;
  const steps = listSteps(page, by);
  const [first] = steps;
  if (first === undefined) return [{ needs: `records that differ in ${by}` }];
  const back = steps.find(({ direction }) => direction !== first.direction);
  const place = { rule: 'order', at: `body${at}`, settles: true };
  if (back !== undefined)
    return [
      {
        ...place,
        at: `body${at}/${back.index}/${by}`,
        expected: `${first.direction > 0 ? 'at least' : 'at most'} ${show(back.before)}, which stands before it`,
        actual: show(back.value),
      },
    ];
  if (ordered.turned === undefined) return [];
  const turned = followPointer(ordered.turned, at);
  const others = listSteps(Array.isArray(turned) ? turned.filter(isRecord) : [], by);
  if (others.length === 0 || others.some(({ direction }) => direction !== first.direction)) return [];
  const [way, other] = first.direction > 0 ? ['ascending', 'descending'] : ['descending', 'ascending'];
  return [{ ...place, at: `body${at}/0/${by}`, expected: `${other} order`, actual: `${way} order` }];
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
