import { sameJson } from '../../contract/document/same-json.js';
import { findOnePet, isPet, SENT_FIELDS, showPair } from './pets.js';
import { successBody, type Check } from './check.js';
import { placeOfResponse } from './places.js';

export const echoCheck: Check = {
  id: 'echo',
  title: 'a created pet has every field as sent',
  run(context) {
    const { operation, json, violations } = context.sent;
    const shown = findOnePet(successBody(context));
    if (operation?.id !== 'createPet' || shown === undefined || !isPet(json)) return [];
    const { pet: body, at: within } = shown;
    // A request that should be refused has no correct answer to compare; its acceptance is a deviation of its own.
    const isInvalid = (field: string): boolean =>
      violations.some((each) => each.at === 'body' || `${each.at}/`.startsWith(`body/${field}/`));
    const contractPointer = placeOfResponse(operation, 201);
    const differs = (field: string): boolean => json[field] !== undefined && !sameJson(body[field], json[field]);
    return SENT_FIELDS.filter((field) => differs(field) && !isInvalid(field)).map((field) => {
      const { expected, actual } = showPair(json[field], body[field]);
      return {
        rule: field,
        at: `${within}/${field}`,
        expected: `${expected}, as it was sent`,
        actual,
        contractPointer,
      };
    });
  },
};
