// What a run may write of its own where the service decides: nothing of it may change what others get afterwards.
import { escapePointer } from '../../../contract/document/document.js';
import { Inapplicable, replaceTexts, type Binding } from '../binding.js';
import { bindKey } from './bind-keys.js';
import type { RoleScenario, RoleStep } from '../role-scenario.js';
import type { RawStep, Row } from '../../model/scenario.js';

/** A key in a scenario that no record has, and that a record may be given without harm. */
export const FREE_KEY = '$freeKey';

/** The step that proves the key to be free, and the reference to it that the other steps have. */
const PROOF = 'free';
export const PROVEN_KEY = `$steps.${PROOF}.outputs.key`;

const NOT_FREE = 'it needs a key that no record has: the target must return 404 for it';

interface Freed {
  steps: RoleStep[];
  row: Row | undefined;
  /** The step that comes first. */
  proof: RoleStep | undefined;
}

/**
 * Where keys are numbers, a service counts on from the greatest that it was given: one that is made up moves the keys of all
 * records to come, for good. So what may create a record has a key next to those that the service itself gave, where they
 * are seen to be counted, and where nobody has it. Other keys move nothing.
 */
export function freeKeys({ steps }: Pick<RoleScenario, 'steps'>, row: Row | undefined, binding: Binding): Freed {
  const isFree = steps.some((step) => hasFreeKey(step)) || hasFreeKey(row);
  const { roles } = binding.subject;
  const writesUnknown = steps.some((step) => step.key === '$unknownKey' && isWriting(step));
  if (!isFree && !writesUnknown) return { steps, row, proof: undefined };
  const unknown = bindKey('$unknownKey', binding);
  const isCounted = /^\d+$/.test(String(unknown));
  const name = isCounted ? PROVEN_KEY : '$unknownKey';
  const given = isCounted ? name : unknown;
  const put = (value: unknown): unknown =>
    replaceTexts(value, (text) => (text === FREE_KEY || (isCounted && text === '$unknownKey') ? given : text));
  const freed = steps.map((step) => ({
    ...(put(step) as RoleStep),
    ...(step.key === undefined ? {} : { key: step.key === '$unknownKey' ? name : step.key }),
    ...(step.parent === undefined ? {} : { parent: step.parent }),
  }));
  if (!isCounted) return { steps: freed, row: put(row) as Row | undefined, proof: undefined };
  if (roles.get === undefined || roles.create === undefined) throw new Inapplicable('a way to see that a key is free');
  const next = `$run.nextKeys#/${escapePointer(roles.create.operation.id)}`;
  const assume = { record: { notKey: next }, otherwise: NOT_FREE };
  const proof: RoleStep = { id: PROOF, role: 'get', asks: 'absent', key: next, assume, outputs: { key: next } };
  return { steps: freed, row: put(row) as Row | undefined, proof };
}

/** What shows another record, or says that there is none, has none at that key; what fails says nothing. */
export function needAnswer(step: RawStep): RawStep {
  return { ...step, assume: { otherwise: NOT_FREE, ...step.assume, status: [404, 410, '2XX'] } };
}

function hasFreeKey(value: unknown): boolean {
  let found = false;
  replaceTexts(value, (text) => {
    found ||= text === FREE_KEY;
    return text;
  });
  return found;
}

function isWriting({ role }: RoleStep): boolean {
  return role === 'replace' || role === 'update' || role === 'remove';
}
