import { isOfOperations, isWithinAnswers, type Group } from './group.js';
import type { Topic } from './sign.js';

type Follows = (effect: Group, cause: Group) => boolean;

const has =
  (...topics: Topic[]): Follows =>
  ({ sign }) =>
    topics.includes(sign.topic);

const ofSameAnswers =
  (...topics: Topic[]): Follows =>
  (effect, cause) =>
    topics.includes(effect.sign.topic) && isWithinAnswers(effect, cause);

const isChangedThere: Follows = (effect, cause) => effect.sign.topic === 'changed' && isOfOperations(effect, cause);

/** What was taken is there: a list shows more than before. A pet that was refused is there for another reason. */
const isLeftBehind: Follows = ({ sign, occurrences }) =>
  sign.topic === 'refused-kept' && occurrences.every(({ finding }) => finding.check === 'left-behind');

/** Whoever takes a value of another kind answers it so. */
const ofAcceptedKind: Follows = ({ sign }, cause) => {
  if (sign.topic !== 'field-value' && sign.topic !== 'missing-fields') return false;
  const kind = sign.topic === 'missing-fields' ? 'missing' : (sign.detail ?? '').replace(/^an? /, '');
  const field = (sign.field ?? '').replace(/Id$/, '');
  return cause.occurrences.some(({ scenario: { title } }) => title.includes(field) && title.includes(kind));
};

/** Whoever does not look at the key looks at the body, and refuses that. */
const isValidatedBefore: Follows = (effect, cause) =>
  effect.sign.topic === 'key-status' && isOfOperations(effect, cause);

/** A pet that is made up for an id is there once more when the id is given. */
const ofMadeUpPets: Follows = ({ sign }, cause) => sign.topic === 'id-twice' && cause.sign.operation === 'getPet';

const any =
  (...rules: Follows[]): Follows =>
  (effect, cause) =>
    rules.some((follows) => follows(effect, cause));

/** Whoever gets a field wrong gets it wrong wherever it is compared. */
const ofField: Follows = (effect, cause) => {
  const fields = cause.sign.field?.split(' ') ?? [];
  const { topic, field } = effect.sign;
  if (topic === 'changed' && cause.sign.topic === 'changed')
    return field === cause.sign.field && isOfOperations(effect, cause);
  if ((topic === 'changed' || topic === 'field-value') && fields.includes(field ?? '')) return true;
  if (fields.includes('id') && has('wrong-pet', 'id-twice', 'lost', 'surplus', 'stored-twice')(effect, cause))
    return true;
  return fields.includes('status') && has('filter', 'lost', 'surplus')(effect, cause);
};

/** Bytes in another encoding are no JSON here, and other letters there. */
function isEncoding({ occurrences }: Group): boolean {
  return occurrences.some(({ finding }) => finding.actual.includes('UTF-8'));
}

/** What follows from what, those first that explain the most. */
const CONSEQUENCES: readonly (readonly [cause: Topic, follows: Follows])[] = [
  ['not-json', ofSameAnswers('content-type', 'error-shape', 'body-type', 'no-body')],
  ['not-json', ({ sign }, cause) => sign.topic === 'changed' && isEncoding(cause)],
  ['no-body', ofSameAnswers('content-type')],
  [
    'crash',
    any(ofSameAnswers('not-json', 'no-body', 'content-type', 'error-shape', 'error-status'), has('unanswered')),
  ],
  [
    'success-status',
    ofSameAnswers('not-json', 'no-body', 'content-type', 'body-type', 'missing-fields', 'body-forbidden'),
  ],
  [
    'key-accepted',
    any(
      isLeftBehind,
      isValidatedBefore,
      ofSameAnswers('accepted', 'body-type', 'missing-fields', 'field-value', 'changed'),
    ),
  ],
  ['key-status', ofSameAnswers('error-shape', 'error-status', 'content-type', 'not-json', 'no-body')],
  ['refusal-status', ofSameAnswers('error-shape', 'error-status', 'content-type', 'not-json', 'no-body')],
  [
    'accepted',
    any(isLeftBehind, ofSameAnswers('body-type', 'missing-fields', 'field-value', 'no-body', 'changed', 'id-twice')),
  ],
  ['accepted', any(ofAcceptedKind, ofMadeUpPets)],
  ['body-type', ofSameAnswers('missing-fields', 'field-value')],
  ['id-twice', any(has('wrong-pet', 'changed', 'lost', 'surplus', 'stored-twice'))],
  ['missing-fields', any(ofField, ofSameAnswers('changed'))],
  ['field-value', ofField],
  ['wrong-pet', any(isChangedThere, has('lost', 'surplus', 'id-twice'))],
  [
    'filter',
    any(
      has('lost', 'surplus', 'page'),
      (effect, cause) => effect.sign.field === 'status' && isChangedThere(effect, cause),
    ),
  ],
  ['changed', ofField],
  ['lost', any(has('surplus', 'page'))],
  ['limit', has('page', 'lost')],
  ['refused-kept', has('missing-fields', 'field-value', 'stored-twice', 'body-type', 'surplus')],
  ['surplus', has('page')],
];

/** Puts down to each cause what follows from it. */
export function foldConsequences(groups: readonly Group[]): Group[] {
  let left = [...groups];
  for (const [topic, follows] of CONSEQUENCES) {
    for (const cause of left.filter(({ sign }) => sign.topic === topic)) {
      if (!left.includes(cause)) continue;
      const effects = left.filter((each) => each !== cause && follows(each, cause));
      cause.consequences.push(...effects.flatMap((each) => [each, ...each.consequences]));
      left = left.filter((each) => !effects.includes(each));
    }
  }
  return left;
}
