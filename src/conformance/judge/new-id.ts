import { keyOfJson, sameJson } from '../../contract/document/same-json.js';
import { findOnePet, show } from './pets.js';
import { successBody, type Check } from './check.js';
import { placeOfField, placeOfResponse } from './places.js';

export const newIdCheck: Check = {
  id: 'new-id',
  title: 'a created pet has an id that no other pet has',
  comparesAnswers: true,
  run(context) {
    const shown = findOnePet(successBody(context));
    // What is null is no id, which the check of the body tells.
    const id = shown?.pet['id'] ?? undefined;
    if (context.sent.operation?.id !== 'createPet' || shown === undefined || id === undefined) return [];
    // Two answers of 201 with the same id are wrong in any order.
    const duplicate = context.memory.created.find((pet) => sameJson(pet['id'], id));
    if (duplicate !== undefined) {
      return [
        {
          rule: 'given-twice',
          at: `${shown.at}/id`,
          expected: 'a different id for each created pet',
          actual: `${show(id)}, which was given to ${show(duplicate['name'])} too`,
          contractPointer: placeOfField(context, 'id'),
        },
      ];
    }
    const seenAt = context.memory.seenIds.get(keyOfJson(id));
    // A list that was read during this create may show the pet before the create is answered.
    if (seenAt === undefined || seenAt > context.sentAt) return [];
    return [
      {
        rule: 'unique',
        at: `${shown.at}/id`,
        expected: 'a new id',
        actual: show(id),
        contractPointer: placeOfResponse(context.sent.operation, 201),
      },
    ];
  },
};
