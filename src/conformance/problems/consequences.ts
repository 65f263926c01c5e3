import { isWithinAnswers, type Group } from './group.js';
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

const isFetchOfNothing: Follows = ({ sign }) =>
  sign.topic === 'refused' && sign.operation === 'getPet' && sign.detail === '404';

const any =
  (...rules: Follows[]): Follows =>
  (effect, cause) =>
    rules.some((follows) => follows(effect, cause));

/** Whoever gets a field wrong gets it wrong wherever it is compared. */
const ofField: Follows = (effect, cause) => {
  const fields = cause.sign.field?.split(' ') ?? [];
  const { topic, field } = effect.sign;
  if ((topic === 'changed' || topic === 'field-value') && fields.includes(field ?? '')) return true;
  if (fields.includes('id') && has('wrong-pet', 'id-twice', 'lost', 'surplus', 'stored-twice')(effect, cause))
    return true;
  if (fields.includes('id') && isFetchOfNothing(effect, cause)) return true;
  return fields.includes('status') && has('filter', 'lost', 'surplus')(effect, cause);
};

/** What follows from what, those first that explain the most. */
const CONSEQUENCES: readonly (readonly [cause: Topic, follows: Follows])[] = [
  ['not-json', ofSameAnswers('content-type', 'error-shape', 'body-type', 'no-body')],
  ['no-body', ofSameAnswers('content-type')],
  ['content-type', ofSameAnswers('error-shape', 'body-type', 'missing-fields', 'field-value')],
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
    any(has('refused-kept'), ofSameAnswers('accepted', 'body-type', 'missing-fields', 'field-value', 'changed')),
  ],
  ['key-status', ofSameAnswers('error-shape', 'error-status', 'content-type', 'not-json', 'no-body')],
  ['refusal-status', ofSameAnswers('error-shape', 'error-status', 'content-type', 'not-json', 'no-body')],
  [
    'accepted',
    any(
      has('refused-kept'),
      ofSameAnswers('body-type', 'missing-fields', 'field-value', 'no-body', 'changed', 'id-twice'),
    ),
  ],
  ['accepted', has('field-value', 'missing-fields')],
  ['body-type', ofSameAnswers('missing-fields', 'field-value')],
  ['id-twice', any(has('wrong-pet', 'changed', 'lost', 'surplus', 'stored-twice'), isFetchOfNothing)],
  ['missing-fields', any(ofField, ofSameAnswers('changed'))],
  ['field-value', ofField],
  ['wrong-pet', any(has('changed', 'lost', 'surplus', 'id-twice'), isFetchOfNothing)],
  ['filter', any(has('lost', 'surplus', 'page'), ({ sign }) => sign.topic === 'changed' && sign.field === 'status')],
  ['changed', ofField],
  ['lost', any(has('surplus', 'page'), isFetchOfNothing)],
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
