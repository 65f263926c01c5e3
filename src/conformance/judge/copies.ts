import { pointerOf } from './places.js';
import type { Subject } from '../subjects/subject.js';
import type { CheckContext, CheckFinding } from './check.js';
import { identifyRecord, type ShownRecord } from '../ledger/shown-records.js';
import { show } from './shown.js';

interface Shown {
  key: ShownRecord['key'];
  at: string;
  /** Whether the run created the record, with it or before a change to it. */
  isOwn: boolean;
}

/** A text that the run has sent once stands in one record alone. */
export function judgeCopies(shown: readonly ShownRecord[], subject: Subject, context: CheckContext): CheckFinding[] {
  const { ledger } = context;
  const first = new Map<string, Shown>();
  for (const { record, key, at } of shown)
    for (const { name, text } of ledger.texts.listMarked(record)) {
      if (!ledger.texts.list(text).some((each) => ledger.texts.sent.get(each) === 1)) continue;
      const id = identifyRecord(subject, context.sent.path, key);
      const known = ledger.expected(id);
      const isKept = known === undefined || (known.since <= context.sentAt && known.sent[name] === text);
      const isOwn = isKept && ledger.createdByRun(id);
      const here = { key, at: `${at}/${name}`, isOwn };
      const before = first.get(`${name} ${text}`);
      if (before !== undefined && before.key !== key && before.isOwn !== isOwn)
        return [describeCopy(text, before.isOwn ? here : before, { subject, context })];
      first.set(`${name} ${text}`, here);
    }
  return [];
}

function describeCopy(
  text: string,
  { key, at }: Shown,
  { subject, context }: { subject: Subject; context: CheckContext },
): CheckFinding {
  const actual = `another with the key ${show(key)}`;
  const place = { contractPointer: pointerOf(context), resource: subject.name };
  return { rule: 'once', at, expected: `one record with ${show(text)}`, value: show(text), actual, ...place };
}
