import { sameJson } from '../../../../contract/document/json.js';
import type { CreateObserver } from './observer.js';

/** Whether created records keep what they have as one of a few values. */
export const createStatusAfterCreateObserver: CreateObserver = ({ watched }) => {
  const created = new Map<unknown, { record: Readonly<Record<string, unknown>>; answeredAt: number }>();
  let keptMs: number | undefined;
  const moved = new Map<unknown, number>();
  return {
    note(exchange) {
      if (watched === undefined) return;
      const { sent, sentAt, answeredAt } = exchange;
      // What the run changes itself does not move by itself. A path has text where a record may have a number.
      if (sent.method !== 'GET')
        for (const key of Object.values(sent.path).map(String)) {
          created.delete(key);
          // Answers to others may show it before that to the change is there.
          if ((moved.get(key) ?? 0) >= sentAt) moved.delete(key);
        }
      const made = watched.readCreated(exchange);
      if (made !== undefined) created.set(String(made[watched.key]), { record: made, answeredAt });
      for (const record of watched.readShown(exchange)) {
        const key = String(record[watched.key]);
        const first = created.get(key);
        if (first === undefined) continue;
        const told = watched.choices.filter((name) => first.record[name] !== undefined && record[name] !== undefined);
        if (told.length === 0) continue;
        if (told.some((name) => !sameJson(first.record[name], record[name]))) moved.set(key, answeredAt);
        else keptMs = Math.max(keptMs ?? 0, sentAt - first.answeredAt);
      }
    },
    conclude() {
      if (moved.size > 0) return { answer: 'moves-by-itself', evidence: 'records that this run created, read again' };
      return keptMs === undefined
        ? { notObserved: 'this needs a record that the run created with such a value and then read' }
        : { answer: 'stays', evidence: `records that this run created, read again ${showTime(keptMs)}` };
    },
  };
};

/** What moves after that has not been seen. Seconds would make a profile another one on a busy machine. */
function showTime(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return minutes === 0 ? 'within a minute' : `up to ${minutes} min later`;
}
