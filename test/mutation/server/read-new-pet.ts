import { statuses, type NewPet } from './pets.js';
import { isObject, type JsonValue } from './exact-json.js';
import { isInt64, readInteger } from './integers.js';
import { Refusal } from './replies.js';

/** Checks a body against NewPet (section 2); unknown fields are dropped. */
export function readNewPet(body: JsonValue): NewPet | Refusal {
  if (!isObject(body)) return refuse('The body must be a JSON object.');
  const { name, status } = body;
  const categoryId = readInteger(body.categoryId);
  if (typeof name !== 'string') return refuse('name must be a string.');
  if (categoryId === undefined || !isInt64(categoryId)) return refuse('categoryId must be an integer (int64).');
  if (status === undefined) return { name, categoryId };
  if (!statuses.some((known) => known === status)) return refuse(`status must be one of ${statuses.join(', ')}.`);
  return { name, categoryId, status };
}

function refuse(message: string): Refusal {
  return new Refusal(400, 'invalid_body', message);
}
