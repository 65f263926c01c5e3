import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import type { ApiRequest } from '../../contract/message.js';
import type { Match } from '../../contract/operations/match.js';
import type { World } from '../world/world.js';
import { readIntegerForm } from '../../contract/gaps/integer-forms.js';
import { MAX_JSON_DEPTH } from '../../contract/document/json.js';
import type { Operation, Parameter } from '../../contract/model.js';
import {
  readParameters,
  type ParameterReading,
  type ParameterValues,
  type RepeatedPolicy,
} from '../../contract/parameters.js';
import { profileOf } from '../../contract/gaps/profile-layers.js';
import type { Contract } from '../../contract/contract.js';
import { nameInIds } from '../../contract/resources/plain-roles.js';
import { listKept } from '../store/kept.js';
import { statesBothRefusals } from '../../contract/operations/states-both-refusals.js';
import type { Violation } from '../../contract/schemas/violation.js';

const ANSWERS_HEAD: Record<string, boolean> = { answered: true, 'refused-405': false };

/** The path as the contract has it. */
export function pathBelowBase(request: ApiRequest, world: World): string {
  return world.contract.bases.below(request.method, request.path);
}

/** What the contract defines for the path and method of a request. */
export function findOperation(request: ApiRequest, world: World): Match {
  const { bases } = world.contract;
  const { match } = bases.find(request.method, request.path, request);
  if (match.kind !== 'wrong-method' || request.method !== 'HEAD') return match;
  return actOn(world.profile, 'head', ANSWERS_HEAD) ? bases.find('GET', request.path, request).match : match;
}

/** The methods of a path, for `Allow`. */
export function listMethods(allowed: string[], world: World): string {
  const head = allowed.includes('GET') && actOn(world.profile, 'head', ANSWERS_HEAD) ? ['HEAD'] : [];
  return [...allowed, ...head, 'OPTIONS'].join(', ');
}

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

/** The profile's choices for an operation: those for its resource, where the profile has any. */
export function profileFor(operation: Operation, { contract, profile }: Pick<World, 'contract' | 'profile'>): Profile {
  if (profile.of === undefined) return profile;
  return profileOf(profile, readParameterRoles(operation, contract).resource);
}

interface ParameterRoles {
  limit: string | undefined;
  filters: ReadonlySet<string>;
  key: string | undefined;
  resource: string | undefined;
}

const NO_NAMES: ReadonlySet<string> = new Set();

const known = new WeakMap<Operation, ParameterRoles>();

export function readParameterRoles(operation: Operation, contract: Contract): ParameterRoles {
  const read = known.get(operation) ?? findRoles(operation, contract);
  known.set(operation, read);
  return read;
}

function findRoles(operation: Operation, contract: Contract): ParameterRoles {
  for (const kept of listKept(contract)) {
    const { key, operations } = kept;
    const role = operations.find((each) => each.operation === operation);
    if (role === undefined) continue;
    const { paging, filters = [] } = role.list ?? {};
    const equal = filters.filter(({ relation }) => relation === 'equals' || relation === 'contains');
    return {
      limit: paging?.kind === 'page' ? paging.size : paging?.limit,
      filters: new Set(equal.map(({ parameter }) => parameter)),
      key: key?.kind === 'integer' ? key.parameter : undefined,
      resource: key === undefined ? undefined : nameInIds(kept),
    };
  }
  return { limit: undefined, filters: NO_NAMES, key: findLastInPath(operation), resource: undefined };
}

function findLastInPath({ path, parameters }: Operation): string | undefined {
  const [, name] = /\{([^{}]+)\}\/?$/.exec(path) ?? [];
  const last = parameters.find((each) => each.in === 'path' && each.name === name);
  return last?.schema['type'] === 'integer' ? name : undefined;
}

interface Situation {
  operation: Operation;
  reading: ParameterReading;
  violation: Violation;
  roles: ParameterRoles;
}

/**
 * The effect of a choice on a violation: a refusal with this status, a change of
 * the request that lets it be served, or nothing, so that a later rule decides.
 */
type Action = { refuse: number } | { adjust: (situation: Situation) => void } | 'leave-to-next';

interface GapRule {
  gap: string;
  applies: (situation: Situation) => boolean;
  actions: Readonly<Record<string, Action>>;
}

const refuse = (status: number): Action => ({ refuse: status });
const isLimit =
  (rule: 'minimum' | 'maximum'): GapRule['applies'] =>
  (situation) =>
    isOfLimit(situation) && situation.violation.rule === rule;
const refusals = { 'refused-400': refuse(400), 'refused-422': refuse(422) };
const useDefault: Action = { adjust: ({ reading, violation }) => delete reading.query[nameOf(violation)] };
// No record has a value that the contract does not know, so the filter itself empties the list.
const filters = { ...refusals, ignored: useDefault, 'empty-list': { adjust: () => {} } };
const notFound = { ...refusals, 'not-found': refuse(404) };

const GAP_RULES: readonly GapRule[] = [
  {
    gap: 'empty-limit',
    applies: (situation) => isOfLimit(situation) && sentIn(situation) === '',
    actions: { ...refusals, ignored: useDefault },
  },
  {
    gap: 'limit-not-integer',
    applies: (situation) => isOfLimit(situation) && situation.violation.rule === 'type',
    actions: { ...refusals, ignored: useDefault },
  },
  {
    gap: 'limit-below-minimum',
    applies: isLimit('minimum'),
    actions: { ...refusals, ignored: useDefault, clamped: { adjust: clamp } },
  },
  {
    gap: 'limit-above-maximum',
    applies: isLimit('maximum'),
    actions: { ...refusals, ignored: useDefault, clamped: { adjust: clamp } },
  },
  {
    gap: 'empty-status-filter',
    applies: (situation) => isFilter(situation) && sentIn(situation) === '',
    actions: filters,
  },
  {
    gap: 'status-filter-case',
    applies: (situation) => isFilter(situation) && knownChoice(situation) !== undefined,
    actions: { matched: { adjust: matchCase }, 'as-unknown': 'leave-to-next' },
  },
  {
    gap: 'unknown-status-filter',
    applies: isFilter,
    actions: filters,
  },
  {
    gap: 'pet-id-not-integer',
    applies: (situation) => isKey(situation) && situation.violation.rule === 'type',
    actions: notFound,
  },
  {
    gap: 'pet-id-out-of-range',
    applies: (situation) => isKey(situation) && situation.violation.rule === 'format',
    actions: notFound,
  },
];

/**
 * The status with which violations are refused; `undefined` if the profile
 * serves the request anyway, perhaps changed in `reading`.
 */
export function applyGapRules(
  operation: Operation,
  reading: ParameterReading,
  violations: readonly Violation[],
  { contract, profile }: Pick<World, 'contract' | 'profile'>,
): number | undefined {
  const roles = readParameterRoles(operation, contract);
  const statuses = violations.map((violation) => settleOne({ operation, reading, violation, roles }, profile));
  return statuses.find((status) => status !== undefined);
}

function settleOne(situation: Situation, profile: Profile): number | undefined {
  for (const { gap, applies, actions } of GAP_RULES) {
    if (!applies(situation)) continue;
    const action = actOn(profile, gap, actions);
    if (action === 'leave-to-next') continue;
    if ('refuse' in action) return action.refuse;
    action.adjust(situation);
    return undefined;
  }
  return statesBothRefusals(situation.operation) ? actOn(profile, 'invalid-status', INVALID) : 400;
}

const INVALID: Readonly<Record<string, number>> = { 'refused-422': 422, 'refused-400': 400 };

function isOfLimit({ violation, roles }: Situation): boolean {
  return violation.at === `query/${roles.limit}`;
}

function isFilter({ violation, roles }: Situation): boolean {
  return violation.part === 'query' && violation.rule === 'enum' && roles.filters.has(nameOf(violation));
}

function isKey({ operation, violation, roles }: Situation): boolean {
  if (violation.at !== `path/${roles.key}`) return false;
  return !operation.responses.some(({ status }) => status === '400' || status === '422');
}

function nameOf({ pointer }: Violation): string {
  return pointer.slice(1);
}

function sentIn({ reading, violation }: Situation): unknown {
  return reading.query[nameOf(violation)];
}

function clamp({ operation, reading, violation }: Situation): void {
  const name = nameOf(violation);
  reading.query[name] = findParameter(operation, name)?.schema[violation.rule];
}

function matchCase(situation: Situation): void {
  situation.reading.query[nameOf(situation.violation)] = knownChoice(situation);
}

function knownChoice(situation: Situation): unknown {
  const choices = findParameter(situation.operation, nameOf(situation.violation))?.schema['enum'];
  const sent = String(sentIn(situation)).toLowerCase();
  return Array.isArray(choices) ? choices.find((choice) => String(choice).toLowerCase() === sent) : undefined;
}

function findParameter(operation: Operation, name: string): Parameter | undefined {
  return operation.parameters.find((parameter) => parameter.name === name);
}
