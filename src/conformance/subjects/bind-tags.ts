// Operations that require an If-Match are asked with the ETag of the record as it is, which a step of its own reads first.
import { isTagName, requiresTag } from '../../contract/operations/entity-tags.js';
import type { RawStep } from '../model/raw-scenario.js';
import { fillRow, operationOf, type BoundStep } from './binding.js';
import { asObject } from '../../contract/document/plain.js';
import { PROVEN_KEY } from './keys/free-key.js';
import type { RoleScenario, RoleStep } from './role-scenario.js';

/** What reads the ETag, as a step of the scenario; `undefined` if the step needs none, or asks for no record that exists. */
export function readTagFor(
  step: RoleStep,
  { steps }: Pick<RoleScenario, 'steps'>,
  { binding, operation, row }: BoundStep,
): RoleStep | undefined {
  const { id, key } = step;
  if (
    !requiresTag(operation.operation) ||
    key === undefined ||
    key === PROVEN_KEY ||
    !/^\$(?:steps|records|refusals)\./.test(key)
  )
    return undefined;
  if (Object.keys(asObject(fillRow(step.headers, row))).some(isTagName)) return undefined;
  const earlier = steps.slice(0, steps.indexOf(step));
  if (earlier.some((each) => each.role === 'remove' && each.key === key && !isRefused(each))) return undefined;
  operationOf('get', binding);
  return {
    id: nameTagStep(id),
    role: 'get',
    key,
    ...(step.of === undefined ? {} : { of: step.of }),
    expect: { status: '$done' },
    assume: {
      headers: { etag: { type: 'string', pattern: '^"' } },
      otherwise: 'it needs a response with a strong ETag',
    },
    outputs: { tag: '$response.header.etag' },
  };
}

function isRefused({ expect }: RoleStep): boolean {
  return expect?.status !== undefined && expect.status !== '$done';
}

/** The step with that ETag. An older one may still be shown where the scenario has changed the record before. */
export function sendTag(step: RawStep, isChangedBefore: boolean): RawStep {
  const from = nameTagStep(step.id);
  return {
    ...step,
    headers: { ...(step.headers as Record<string, string>), 'If-Match': `$steps.${from}.outputs.tag` },
    ...(isChangedBefore && step.retryFrom === undefined ? { retryFrom: from } : {}),
  };
}

function nameTagStep(id: string): string {
  return `${id}-tag`;
}
