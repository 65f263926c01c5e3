import type { Assumption } from '../scenarios/scenario.js';
import { Inapplicable, statusesOf, type BoundStep } from './binding.js';
import type { RoleExpectation } from './role-scenario.js';

/** A removal that is answered with 202 is still to come (RFC 9110 section 15.3.3). */
export function removeAtOnce(expect: RoleExpectation | undefined, { operation }: BoundStep): { assume?: Assumption } {
  if (operation.role !== 'remove' || expect?.status !== '$done') return {};
  const done = statusesOf('$done', operation);
  const status = done.filter((each) => each !== 202);
  if (status.length === done.length) return {};
  if (status.length === 0) throw new Inapplicable('a removal at once');
  return { assume: { status, otherwise: 'the service says that it removes later', verdict: 'skipped' } };
}
