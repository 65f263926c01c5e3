import { actOn, type Profile } from '../contract/gaps/gaps.js';
import type { Operation, Parameter } from '../contract/model.js';
import type { ParameterReading } from '../contract/parameters.js';
import type { Violation } from '../contract/schemas/violation.js';

/** A violation in the request it stands in. */
interface Situation {
  operation: Operation;
  reading: ParameterReading;
  violation: Violation;
}

/**
 * What a choice makes of a violation: a refusal with this status, a change of
 * the request after which it is served, or nothing, so that a later point decides.
 */
type Action = { refuse: number } | { adjust: (situation: Situation) => void } | 'leave-to-next';

/** A violation to which the contract gives no answer, and what each choice makes of it. */
interface GapRule {
  gap: string;
  applies: (situation: Situation) => boolean;
  actions: Readonly<Record<string, Action>>;
}

const refuse = (status: number): Action => ({ refuse: status });
/** A limit below the minimum or above the maximum, by the rule that it breaks. */
const isLimit =
  (rule: 'minimum' | 'maximum'): GapRule['applies'] =>
  ({ violation }) =>
    violation.at === 'query/limit' && violation.rule === rule;
const refusals = { 'refused-400': refuse(400), 'refused-422': refuse(422) };
const useDefault: Action = { adjust: ({ reading, violation }) => delete reading.query[violation.pointer.slice(1)] };
// No pet has an unknown status, so the filter itself empties the list.
const filters = { ...refusals, ignored: useDefault, 'empty-list': { adjust: () => {} } };
const notFound = { ...refusals, 'not-found': refuse(404) };

const GAP_RULES: readonly GapRule[] = [
  {
    gap: 'empty-limit',
    applies: ({ violation, reading }) => violation.at === 'query/limit' && reading.query['limit'] === '',
    actions: { ...refusals, ignored: useDefault },
  },
  {
    gap: 'limit-not-integer',
    applies: ({ violation }) => violation.at === 'query/limit' && violation.rule === 'type',
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
    applies: (situation) => isFilter(situation) && situation.reading.query['status'] === '',
    actions: filters,
  },
  {
    gap: 'status-filter-case',
    applies: (situation) => isFilter(situation) && knownStatus(situation) !== undefined,
    actions: { matched: { adjust: matchCase }, 'as-unknown': 'leave-to-next' },
  },
  {
    gap: 'unknown-status-filter',
    applies: isFilter,
    actions: filters,
  },
  {
    gap: 'pet-id-not-integer',
    applies: ({ violation }) => violation.at === 'path/petId' && violation.rule !== 'format',
    actions: notFound,
  },
  {
    gap: 'pet-id-out-of-range',
    applies: ({ violation }) => violation.at === 'path/petId' && violation.rule === 'format',
    actions: notFound,
  },
];

/**
 * The status with which violations are refused; `undefined` when the profile
 * serves the request all the same, which may then be changed in `reading`.
 */
export function applyGapRules(
  operation: Operation,
  reading: ParameterReading,
  violations: readonly Violation[],
  profile: Profile,
): number | undefined {
  const statuses = violations.map((violation) => settleOne({ operation, reading, violation }, profile));
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
  return 400;
}

function isFilter({ violation }: Situation): boolean {
  return violation.at === 'query/status' && violation.rule === 'enum';
}

function clamp({ operation, reading, violation }: Situation): void {
  const name = violation.pointer.slice(1);
  reading.query[name] = findParameter(operation, name)?.schema[violation.rule];
}

function matchCase(situation: Situation): void {
  situation.reading.query['status'] = knownStatus(situation);
}

/** The contract's status that differs from the one sent in case alone. */
function knownStatus({ operation, reading }: Situation): unknown {
  const statuses = findParameter(operation, 'status')?.schema['enum'];
  const sent = String(reading.query['status']).toLowerCase();
  return Array.isArray(statuses) ? statuses.find((status) => String(status).toLowerCase() === sent) : undefined;
}

function findParameter(operation: Operation, name: string): Parameter | undefined {
  return operation.parameters.find((parameter) => parameter.name === name);
}
