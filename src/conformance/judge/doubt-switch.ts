import { sameJson } from '../../contract/document/json.js';
import { isRecord } from './shown.js';
import { isSameKey } from './record-like.js';
import type { Listed } from './whole-list.js';
import type { CheckContext, CheckOutcome } from './check.js';
import type { Doubt, Switch } from '../model/doubt.js';
import { fieldOfRule, type RecordsRule } from '../model/record-rules.js';

/**
 * The findings of a list, those in doubt that a parameter may explain which does something else than to choose records; a record that
 * the list lacks may be one that it leaves out on purpose.
 */
export function doubtSwitches(
  outcomes: readonly CheckOutcome[],
  { rule: asked, all }: { rule: RecordsRule; all: readonly Listed[] },
  { sent }: CheckContext,
): CheckOutcome[] {
  const { at, keyProperty, switches = [], page } = asked;
  const isSent = ({ parameter }: Switch): boolean => sent.query[parameter] !== undefined;
  return outcomes.map((each) => {
    if ('needs' in each || (each.doubt !== undefined && each.doubt.kind !== 'gone')) return each;
    const { rule, key, isHidden = false } = each;
    const isOfFilter = rule === 'filter' || rule === 'absent';
    const isLacking = rule === 'present';
    if (!isOfFilter && !isLacking && !isHidden) return each;
    const wanted = isLacking ? asked.has?.find((one) => isSameKey(one.key, key))?.like : undefined;
    const telling = switches.filter((one) => {
      if (isOfFilter) return isSent(one);
      if (isSent(one)) return false;
      return isLacking ? !isShownWith(one, wanted, all) : [fieldOfRule(rule), undefined].includes(one.field);
    });
    if (telling.length === 0)
      return isLacking && each.doubt === undefined ? { ...each, doubt: { kind: 'hidden', id: key } } : each;
    const about = isLacking
      ? { id: key, hidden: undefined }
      : { id: undefined, hidden: isHidden ? fieldOfRule(rule) : undefined };
    const turns = page?.walk.parameter;
    const doubt: Doubt = { kind: 'switch', ...about, switches: telling, at, keyProperty, turns };
    return { ...each, doubt: each.doubt?.kind === 'gone' ? { ...each.doubt, or: doubt } : doubt };
  });
}

/** Whether the list has another record with the value by which the parameter chooses: then it does not choose by that. */
function isShownWith({ field }: Switch, wanted: unknown, all: readonly Listed[]): boolean {
  if (field === undefined || !isRecord(wanted) || wanted[field] === undefined) return false;
  return all.some((each) => sameJson(each[field], wanted[field]));
}
