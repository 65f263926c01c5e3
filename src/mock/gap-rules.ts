import { actOn, type Profile } from '../contract/gaps/gaps.js';
import type { Operation, Parameter } from '../contract/model.js';
import { statesBothRejections } from '../contract/operations/operations.js';
import type { ParameterReading } from '../contract/parameters.js';
import type { Violation } from '../contract/schemas/violation.js';
import { readParameterRoles, type ParameterRoles } from './request/parameter-roles.js';
import type { World } from './world/world.js';

/** A violation with its request. */
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

/** A violation for which the contract has no answer, and the effect of each choice. */
interface GapRule {
  gap: string;
  applies: (situation: Situation) => boolean;
  actions: Readonly<Record<string, Action>>;
}

const refuse = (status: number): Action => ({ refuse: status });
/** A limit below the minimum or above the maximum. */
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
  return invalidStatus(situation, profile);
}

const INVALID: Readonly<Record<string, number>> = { 'refused-422': 422, 'refused-400': 400 };

/** What breaks a schema is refused with 400, unless the contract has 422 for it as well. */
function invalidStatus({ operation }: Situation, profile: Profile): number {
  return statesBothRejections(operation) ? actOn(profile, 'invalid-status', INVALID) : 400;
}

function isOfLimit({ violation, roles }: Situation): boolean {
  return violation.at === `query/${roles.limit}`;
}

function isFilter({ violation, roles }: Situation): boolean {
  return violation.part === 'query' && violation.rule === 'enum' && roles.filters.has(nameOf(violation));
}

/** A key that no record can have, where the contract has no answer to an invalid request. */
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

/** The contract's own value that differs from the one sent in case alone. */
function knownChoice(situation: Situation): unknown {
  const choices = findParameter(situation.operation, nameOf(situation.violation))?.schema['enum'];
  const sent = String(sentIn(situation)).toLowerCase();
  return Array.isArray(choices) ? choices.find((choice) => String(choice).toLowerCase() === sent) : undefined;
}

function findParameter(operation: Operation, name: string): Parameter | undefined {
  return operation.parameters.find((parameter) => parameter.name === name);
}
