import { keyOfJson } from '../../../contract/document/same-json.js';
import { isPet } from '../../checks/pets.js';
import type { CreateObserver } from './observer.js';
import { isDone } from './seen-exchange.js';

/** Whether created pets keep their status; the second look finds one that changes (run/second-look/judge-status.ts). */
export const createStatusAfterCreateObserver: CreateObserver = () => {
  const created = new Map<unknown, unknown>();
  let kept = false;
  return {
    note({ sent, status, body }) {
      if (!isDone({ status })) return;
      for (const pet of [body].flat().filter(isPet)) {
        const key = keyOfJson(pet['id']);
        if (sent.operation?.id === 'createPet') created.set(key, pet['status']);
        else if (created.has(key)) kept ||= created.get(key) !== undefined && created.get(key) === pet['status'];
      }
    },
    conclude: () =>
      kept
        ? { answer: 'stays', evidence: 'pets that this run created, wherever it read them again' }
        : { notObserved: 'this needs a pet that the run created with a status and read again' },
  };
};
