import { sameJson } from '../../contract/document/same-json.js';
import { readIntegerForm } from '../../contract/gaps/integer-forms.js';
import { findOnePet, show } from './pets.js';
import { successBody, type Check } from './check.js';

export const rightPetCheck: Check = {
  id: 'right-pet',
  title: 'the answer is the pet that was requested',
  ofPets: true,
  run(context) {
    const asked = readId(context.sent.path['petId']);
    const shown = findOnePet(successBody(context));
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

/** A service may accept an id in several forms (gap `pet-id-forms`), all of which mean the same pet. */
function readId(asked: unknown): unknown {
  return typeof asked === 'string' ? (readIntegerForm(asked) ?? asked) : asked;
}
