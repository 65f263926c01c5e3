import { wordsOf } from '../../../contract/gaps/gap-words.js';
import { isSecretName } from '../../../redact/secret-names.js';
import type { LeftBehind } from '../../model/left-behind.js';
import type { Subject } from '../../subjects/subject.js';
import type { Guest } from './guests.js';
import type { MarkedTexts } from '../../judge/marked-texts.js';

/** So many keys are named; what the records are called tells the others. */
const MOST_KEYS = 100;

/** Records of one resource that the run leaves, and why. */
export interface Leaving {
  subject: Subject;
  why: string;
  guests: readonly Guest[];
  /** How many there are besides, whose keys no answer has shown. */
  keyless?: number;
}

export function describeLeaving({ subject, why, guests, keyless = 0 }: Leaving, texts: MarkedTexts): LeftBehind {
  const { key } = subject.resource;
  const { record: one, records: many } = wordsOf(subject.resource);
  // The key of a token is the token.
  const isSecret = isSecretName(key.property) || isSecretName(key.parameter);
  const keys = guests.map(({ parameters }) => Object.values(parameters).map(String).join('/'));
  return {
    one,
    many,
    count: guests.length + keyless,
    why,
    keys: isSecret ? [] : keys.slice(0, MOST_KEYS),
    ...(texts.isUsed(subject.name) ? { mark: texts.mark } : {}),
  };
}
