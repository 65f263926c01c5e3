import { keyOfJson } from '../../../../contract/document/same-json.js';
import { isPet } from '../../../judge/pets.js';
import type { CreateObserver } from './observer.js';
import { isDone } from './seen-exchange.js';

/** Whether created pets keep their status; the second look finds one that changes (run/second-look/judge-status.ts). */
export const createStatusAfterCreateObserver: CreateObserver = () => {
  const created = new Map<unknown, { status: unknown; answeredAt: number }>();
  let keptMs: number | undefined;
  return {
    note({ sent, status, body, sentAt, answeredAt }) {
      if (!isDone({ status })) return;
      for (const pet of [body].flat().filter(isPet)) {
        const key = keyOfJson(pet['id']);
        const first = created.get(key);
        if (sent.operation?.id === 'createPet') created.set(key, { status: pet['status'], answeredAt });
        else if (first?.status !== undefined && first.status === pet['status'])
          keptMs = Math.max(keptMs ?? 0, sentAt - first.answeredAt);
      }
    },
    conclude: () =>
      keptMs === undefined
        ? { notObserved: 'this needs a pet that the run created with a status and read again' }
        : { answer: 'stays', evidence: `pets that this run created, read again ${showTime(keptMs)}` },
  };
};

/** What moves after that has not been seen. Seconds would make a profile another one on a busy machine. */
function showTime(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return minutes === 0 ? 'within a minute' : `up to ${minutes} min later`;
}
