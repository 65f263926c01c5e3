import { sameJson } from '../../contract/document/same-json.js';
import { readIntegerForm } from '../../contract/gaps/integer-forms.js';
import { findOnePet, show, type PlacedPet } from './pets.js';
import { successBody, type Check, type CheckContext } from './check.js';

export const rightPetCheck: Check = {
  id: 'right-pet',
  title: 'the answer is the pet that was requested',
  ofPets: true,
  run(context) {
    const asked = readId(Object.values(context.sent.path).at(-1));
    const shown = findOnePet(successBody(context)) ?? findOnlyId(context);
    const id = shown?.pet['id'];
    if (asked === undefined || shown === undefined || id === undefined || sameJson(id, asked)) return [];
    return [
      {
        rule: 'id',
        at: `${shown.at}/id`,
        expected: show(asked),
        actual: show(id),
        contractPointer: context.sent.operation?.pointer ?? '',
      },
    ];
  },
};

/** A text that is no JSON may show all the same which pet it is. */
function findOnlyId({ body, answer }: CheckContext): PlacedPet | undefined {
  if (body.kind !== 'unreadable' || body.ids.length !== 1 || answer.kind !== 'answered' || answer.status !== 200)
    return undefined;
  return { pet: { id: body.ids[0] }, at: 'body' };
}

/** A service may accept an id in several forms (gap `pet-id-forms`), all of which mean the same pet. */
function readId(asked: unknown): unknown {
  return typeof asked === 'string' ? (readIntegerForm(asked) ?? asked) : asked;
}
