import type { Change, Exchange } from '../server/behaviour.js';
import { isObject, type JsonObject } from '../server/exact-json.js';
import { breaking, type Mutant } from './mutant.js';
import { makeRefusal, refuseWhen } from './planting.js';
import { stated } from './stated.js';

/** Whether the text of a new pet looks so. */
function isText(pattern: RegExp): (exchange: Exchange) => boolean {
  return ({ body, operation }) => operation === 'createPet' && pattern.test(body.toString());
}

/** Takes for a new pet what it makes of an object. */
function readingAs(change: (body: JsonObject) => JsonObject): Change {
  return (base) => ({
    readNewPet: (body, exchange) => base.readNewPet(isObject(body) ? change(body) : body, exchange),
  });
}

/** Mutants in how the same thing is read that is written otherwise, and what is not the same. */
export const spellingMutants = {
  ...breaking(stated.getOnePet, ['status']).by({
    'second-escape-400: only one percent escape of an id is read': refuseWhen(({ path }) => /%.*%/.test(path), 400),
  }),
  ...breaking(stated.created, ['status']).by({
    'first-member-is-the-name: a pet whose first member is not its name is rejected': (base) => ({
      readNewPet: (body, exchange) =>
        isObject(body) && Object.keys(body)[0] === 'status' ? makeRefusal(400) : base.readNewPet(body, exchange),
    }),
    'escaped-member-unknown: the name of a member is read without its escapes': refuseWhen(
      isText(/"[^"]*\\u[^"]*"\s*:/),
      400,
    ),
    'escaped-letter-unread: an escape of a letter is no JSON to it': refuseWhen(
      isText(/:\s*"[^"]*\\u00(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i),
      400,
    ),
  }),
  ...breaking(stated.refused, ['status']).by({
    'wide-letters-are-folded: letters of a status are folded (NFKC)': readingAs((body) =>
      typeof body.status === 'string' ? { ...body, status: body.status.normalize('NFKC') } : body,
    ),
    'snake-case-is-read: category_id is read as categoryId': readingAs(({ category_id: id, ...body }) =>
      id === undefined ? body : { ...body, categoryId: id },
    ),
  }),
} satisfies Record<string, Mutant>;
