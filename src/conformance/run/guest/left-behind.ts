import { wordsOf } from '../../../contract/gaps/gap-words.js';
import { listTemplateNames } from '../../../contract/operations/path-template.js';
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
  const addresses = isSecret ? [] : guests.slice(0, MOST_KEYS).flatMap((guest) => findAddress(guest) ?? []);
  const keys = guests.map(({ parameters }) => Object.values(parameters).map(String).join('/'));
  return {
    one,
    many,
    count: guests.length + keyless,
    why,
    keys: isSecret ? [] : keys.slice(0, MOST_KEYS),
    ...(addresses.length === 0 ? {} : { addresses, removable: subject.roles.remove !== undefined }),
    // Where there is no list, there is nothing to look through.
    ...(texts.isUsed(subject.name) && subject.roles.list !== undefined ? { mark: texts.mark } : {}),
  };
}

/** The path of a record; none where its operations are at an address of their own. */
function findAddress({ subject: { roles }, parameters }: Guest): string | undefined {
  const operation = (roles.remove ?? roles.get ?? roles.replace ?? roles.update)?.operation;
  const values = Object.values(parameters);
  if (operation === undefined || operation.server !== undefined) return undefined;
  const names = listTemplateNames(operation.path);
  if (names.length !== values.length) return undefined;
  return names.reduce((path, name, index) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : values[index];
    return path.replaceAll(`{${name}}`, () => encodeURIComponent(String(value)));
  }, operation.path);
}
