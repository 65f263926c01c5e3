// The records of the run's own that a list must have, whichever scenario created them.
import { sameJson } from '../../contract/document/json.js';
import { readSubjects, type Subject } from '../subjects/subject.js';
import { turnAround } from '../wire/request/template.js';
import type { CheckContext, CheckFinding, CheckOutcome } from './check.js';
import { isSameKey } from './record-like.js';
import { explainEnded } from './renamed.js';
import { isRecord, show } from './shown.js';
import type { Listed } from './whole-list.js';
import type { RecordsRule } from '../model/record-rules.js';

/**
 * A list that was read to its end has each record that nothing has changed since it was created like one that it has shown:
 * what a list leaves out by default, it may leave out by a value. Whether a service has let go of one by itself, a second look tells.
 */
export function judgeOwnListed(all: readonly Listed[], rule: RecordsRule, context: CheckContext): CheckOutcome[] {
  const subject = findListed(context);
  if (rule.hasOwn === undefined || subject === undefined || subject.resource.scope.length > 0) return [];
  const { like } = rule.hasOwn;
  if (!isRecord(like)) return [];
  const missing = context.ledger
    .listUnchanged(subject)
    .find(
      ({ key, sent }) =>
        isAlike(sent, like, context.ledger.texts.mark) &&
        !all.some((each) => isSameKey(each[rule.keyProperty], key)) &&
        explainEnded(key, context) === undefined,
    );
  if (missing === undefined) return [];
  const { key } = missing;
  return [{ ...findLacking(key, rule), doubt: { kind: 'gone', id: key, of: subject.name } }];
}

/** That a list lacks a record. */
export function findLacking(key: unknown, { at }: Pick<RecordsRule, 'at'>): CheckFinding {
  const expected = `the record with the key ${show(key)}`;
  return { rule: 'present', key, at: `body${at}`, expected, actual: 'a list without it', settles: true };
}

function findListed({ contract, sent: { operation } }: CheckContext): Subject | undefined {
  return readSubjects(contract).find(({ roles }) => roles.list?.operation.id === operation?.id);
}

/** Whether a record was sent as another was, but for the texts that each has of its own. */
function isAlike(sent: Listed, other: Listed, mark: string): boolean {
  const names = new Set([...Object.keys(sent), ...Object.keys(other)]);
  const isOwn = (value: unknown): boolean =>
    typeof value === 'string' && (value.includes(mark) || value.includes(turnAround(mark)));
  return [...names].every((name) => (isOwn(sent[name]) && isOwn(other[name])) || sameJson(sent[name], other[name]));
}
