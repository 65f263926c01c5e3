import { isAnimal, show } from './pets.js';
import { successBody, type Check } from './check.js';

/** What a client decides about an animal (interface, section 2). */
const SENT_FIELDS = ['name', 'categoryId', 'status'];

export const echoCheck: Check = {
  id: 'echo',
  title: 'a created animal has every field as it was sent',
  run(context) {
    const { operation, json } = context.sent;
    const body = successBody(context);
    if (operation?.id !== 'createPet' || !isAnimal(body) || !isAnimal(json)) return [];
    return SENT_FIELDS.filter((field) => json[field] !== undefined && body[field] !== json[field]).map((field) => ({
      rule: field,
      at: `body/${field}`,
      expected: `${show(json[field])}, as it was sent`,
      actual: show(body[field]),
      contractPointer: `${operation.pointer}/responses/201`,
    }));
  },
};
