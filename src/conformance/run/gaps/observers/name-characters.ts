import { NAME_CHARACTERS } from '../../../../contract/gaps/name-characters.js';
import { isPet } from '../../../judge/pets.js';
import type { CreateObserver } from './observer.js';
import { isDone } from './seen-exchange.js';

const REFUSING = new Set([400, 413, 422]);

/** A refused name, which says something about its characters only if a plain name of the same length was accepted. */
interface Refused {
  kinds: readonly string[];
  bytes: number;
}

/** Which kinds of characters a name may not have, judged by the names that were sent. */
export const createNameCharactersObserver: CreateObserver = () => {
  const taken = new Set<string>();
  const refusals: Refused[] = [];
  let longestPlain = 0;
  return {
    note({ sent, status }) {
      const name = isPet(sent.json) ? sent.json['name'] : undefined;
      if (sent.operation?.id !== 'createPet' || sent.violations.length > 0 || typeof name !== 'string') return;
      const kinds = Object.entries(NAME_CHARACTERS).flatMap(([kind, pattern]) => (pattern.test(name) ? [kind] : []));
      const bytes = Buffer.byteLength(name);
      if (REFUSING.has(status)) refusals.push({ kinds, bytes });
      if (!isDone({ status })) return;
      for (const kind of kinds) taken.add(kind);
      if (kinds.length === 0) longestPlain = Math.max(longestPlain, bytes);
    },
    conclude() {
      const telling = refusals.filter(({ bytes }) => bytes <= longestPlain);
      const refused = new Set(telling.flatMap(({ kinds }) => kinds));
      const untried = Object.keys(NAME_CHARACTERS).filter((kind) => !taken.has(kind) && !refused.has(kind));
      if (untried.length > 0)
        return { notObserved: `no name was sent that shows whether it may have ${untried.join(', ')}` };
      const answer = [...refused].filter((kind) => !taken.has(kind)).sort();
      return {
        answer,
        evidence: answer.length === 0 ? 'a name of each kind was taken' : 'no name of the kind was taken',
      };
    },
  };
};
