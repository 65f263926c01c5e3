import { keyOfJson } from '../../contract/document/same-json.js';
import { isAnimal, show } from './pets.js';
import { successBody, type Check } from './check.js';

export const newIdCheck: Check = {
  id: 'new-id',
  title: 'a created animal has an id that no other animal has',
  run(context) {
    const body = successBody(context);
    if (context.sent.operation?.id !== 'createPet' || !isAnimal(body)) return [];
    const { id } = body;
    const seenAt = context.memory.seenIds.get(keyOfJson(id));
    // A list that was read while this animal was being created may show it first.
    if (id === undefined || seenAt === undefined || seenAt > context.sentAt) return [];
    return [
      {
        rule: 'unique',
        at: 'body/id',
        expected: 'an id that was not seen before',
        actual: show(id),
        contractPointer: `${context.sent.operation.pointer}/responses/201`,
      },
    ];
  },
};
