import type { CheckContext, CheckOutcome } from './check.js';
import type { Switch } from '../model/doubt.js';
import { fieldOfRule, type RecordsRule } from '../model/record-rules.js';

/** The findings of a list, those in doubt that a parameter may explain which does something else than to choose records. */
export function doubtSwitches(
  outcomes: readonly CheckOutcome[],
  { at, keyProperty, switches = [], page }: RecordsRule,
  { sent }: CheckContext,
): CheckOutcome[] {
  if (switches.length === 0) return [...outcomes];
  const isSent = ({ parameter }: Switch): boolean => sent.query[parameter] !== undefined;
  return outcomes.map((each) => {
    if ('needs' in each || each.doubt !== undefined) return each;
    const { rule, key, isHidden = false } = each;
    const isOfFilter = rule === 'filter' || rule === 'absent';
    const isLacking = rule === 'present';
    if (!isOfFilter && !isLacking && !isHidden) return each;
    const telling = switches.filter((one) =>
      isOfFilter ? isSent(one) : !isSent(one) && (isLacking || [fieldOfRule(rule), undefined].includes(one.field)),
    );
    if (telling.length === 0) return each;
    const about = isLacking
      ? { id: key, hidden: undefined }
      : { id: undefined, hidden: isHidden ? fieldOfRule(rule) : undefined };
    const turns = page?.walk.parameter;
    return { ...each, doubt: { kind: 'switch', ...about, switches: telling, at, keyProperty, turns } };
  });
}
