import { keyOfJson } from '../../../contract/document/same-json.js';
import { isAnimal } from '../../checks/pets.js';
import type { CreateObserver } from './observer.js';

/** Whether created animals keep their status; one that moves is found by looking again (run/judge-status.ts). */
export const createStatusAfterCreateObserver: CreateObserver = () => {
  const created = new Map<unknown, unknown>();
  let kept = false;
  return {
    note({ sent, status, body }) {
      if (status < 200 || status > 299) return;
      for (const animal of [body].flat().filter(isAnimal)) {
        const key = keyOfJson(animal['id']);
        if (sent.operation?.id === 'createPet') created.set(key, animal['status']);
        else if (created.has(key)) kept ||= created.get(key) !== undefined && created.get(key) === animal['status'];
      }
    },
    conclude: () =>
      kept
        ? { answer: 'stays', evidence: 'animals that this run created, wherever it read them again' }
        : { notObserved: 'it takes an animal that this run created with a status, and read again' },
  };
};
