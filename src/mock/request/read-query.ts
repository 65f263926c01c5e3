import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import { readIntegerForm } from '../../contract/gaps/gaps-of-contract.js';
import { MAX_JSON_DEPTH } from '../../contract/document/json.js';
import type { ApiRequest } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import {
  readParameters,
  type ParameterReading,
  type ParameterValues,
  type RepeatedPolicy,
} from '../../contract/parameters.js';
import type { World } from '../world/world.js';
import { readParameterRoles, type ParameterRoles } from './parameter-roles.js';

const REPEATED: Record<string, { refuses: boolean; policy: RepeatedPolicy }> = {
  'refused-400': { refuses: true, policy: 'first' },
  first: { refuses: false, policy: 'first' },
  last: { refuses: false, policy: 'last' },
};
const REFUSES_UNKNOWN: Record<string, boolean> = { 'refused-400': true, ignored: false };

/** Reads path, query and headers; the profile says how to read repeated parameters. */
export function readRawParameters(
  operation: Operation,
  pathValues: Record<string, string>,
  request: ApiRequest,
  { contract, profile }: Pick<World, 'contract' | 'profile'>,
): ParameterReading {
  const repeated = actOn(profile, 'repeated-parameters', REPEATED).policy;
  const raw = { pathValues, query: request.query, headers: request.headers };
  const reading = readParameters(operation, raw, { repeated });
  if (profile.seen !== undefined) readForms(reading, readParameterRoles(operation, contract), profile);
  return reading;
}

function readForms(reading: ParameterReading, { limit, key }: ParameterRoles, profile: Profile): void {
  if (limit !== undefined) readForm(reading.query, limit, profile.seen?.['limit-forms']);
  if (key !== undefined) readForm(reading.path, key, profile.seen?.['pet-id-forms']);
}

/** Reads a text as an integer in one of the forms that the profile accepts. */
function readForm(values: ParameterValues, name: string, forms: readonly string[] | undefined): void {
  const value = values[name];
  if (forms !== undefined && typeof value === 'string') values[name] = readIntegerForm(value, forms) ?? value;
}

/** Why raw parameters are refused before their values are judged; `undefined` if they are not. */
export function describeUnreadable(reading: ParameterReading, profile: Profile): string | undefined {
  // The common case: nothing is wrong.
  const { badEscapes, tooDeep } = reading;
  if (badEscapes.length + tooDeep.length + reading.repeated.length + reading.unknown.length === 0) return undefined;
  const repeated = actOn(profile, 'repeated-parameters', REPEATED).refuses ? reading.repeated : [];
  const unknown = actOn(profile, 'unknown-parameters', REFUSES_UNKNOWN) ? reading.unknown : [];
  const reasons = [
    ...[...new Set(tooDeep)].map((name) => `query/${name} is nested more than ${MAX_JSON_DEPTH} levels deep`),
    ...badEscapes.map(({ part, name, raw }) => `${part}/${name} has a percent escape that is not UTF-8: ${raw}`),
    ...repeated.map((name) => `query/${name} is there more than once`),
    ...unknown.map((name) => `query/${name} is not a parameter of this operation`),
  ];
  return reasons.length === 0 ? undefined : reasons.join('; ');
}

/** Notes about a request that was served anyway. */
export function describeNotes(reading: ParameterReading, note: string | undefined): string[] {
  const passedOver = reading.unknown.map((name) => `query/${name} is not in the contract and was ignored`);
  return note === undefined ? passedOver : [...passedOver, note];
}

/** Sets absent query parameters to the contract's default. */
export function fillDefaults(operation: Operation, reading: ParameterReading): void {
  for (const { in: part, name, schema } of operation.parameters) {
    if (part === 'query' && reading.query[name] === undefined && schema['default'] !== undefined) {
      reading.query[name] = schema['default'];
    }
  }
}
