import { copyJson, jsonBody } from '../../contract/document/json.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import type { ApiResponse } from '../../contract/message.js';
import { listTemplateNames } from '../../contract/operations/path-template.js';
import { isAnyKeyName, plainName } from '../../contract/resources/words.js';
import { isJsonNumber } from '../../contract/numbers/decimal.js';
import { findPreference } from '../request/prefer.js';
import type { Call } from '../world/world.js';

/** An answer from the contract alone, in which what repeats a value of the path has that of this request. */
export function nameByPath(response: ApiResponse, call: Call): ApiResponse {
  const { operation, request, world, path } = call;
  if (!operation.path.includes('{') || response.status >= 400 || !isFound(response)) return response;
  // An example that the client asked for by name is sent unchanged.
  if (findPreference(request.headers['prefer'] ?? '', 'example') !== undefined) return response;
  const names = listTemplateNames(operation.path).filter((name) => !isAnyKeyName(name));
  const given = new Map(names.map((name) => [plainName(name), path[name]]));
  const value = copyJson(response.body?.value);
  const isRight = (): boolean =>
    world.contract.validate.response(operation, { ...response, body: jsonBody(value) }).length === 0;
  const places = listPlaces(value, given, 0);
  const changed = places.filter((place) => put(place, isRight));
  return changed.length === 0 ? response : { ...response, body: jsonBody(value) };
}

function isFound({ body, headers }: ApiResponse): boolean {
  return typeof body?.value === 'object' && isJsonMediaType(headers['Content-Type'] ?? '');
}

interface NamedPlace {
  holder: Record<string, unknown>;
  name: string;
  given: unknown;
}

/** What is deeper may be about something else. */
const MOST_DEEP_NAME = 2;

function listPlaces(value: unknown, given: ReadonlyMap<string, unknown>, depth: number): NamedPlace[] {
  if (Array.isArray(value)) return value.flatMap((each) => listPlaces(each, given, depth));
  if (typeof value !== 'object' || value === null || depth > MOST_DEEP_NAME) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => {
    const own = given.get(plainName(name));
    const isPlace = own !== undefined && (typeof holder[name] === 'string' || isJsonNumber(holder[name]));
    return isPlace ? [{ holder, name, given: own }] : listPlaces(holder[name], given, depth + 1);
  });
}

function put({ holder, name, given }: NamedPlace, isRight: () => boolean): boolean {
  const before = holder[name];
  const other = typeof given === 'string' && /^[1-9]\d{0,14}$/.test(given) ? Number(given) : String(given);
  for (const value of [given, other]) {
    holder[name] = value;
    if (isRight()) return true;
  }
  holder[name] = before;
  return false;
}
