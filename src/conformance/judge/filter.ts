import { keyOfJson, sameJson } from '../../contract/document/same-json.js';
import type { Operation } from '../../contract/model.js';
import type { Expectation } from '../model/scenario.js';
import { successBody, type Check, type CheckContext, type CheckFinding } from './check.js';
import type { Keyword } from './keyword.js';
import { readListFor } from './looked-at.js';
import { asList, show, type ReceivedPet } from './pets.js';
import { findBadStatus } from './records.js';

/** One check for the filter of a request and for a scenario's statement about every pet, so that a defect is reported once. */
export const filterCheck: Check = {
  id: 'filter',
  title: 'every pet of a filtered list has the status asked for',
  ofPets: true,
  run(context) {
    const { every } = context.expect;
    const found = findOthers(asList(successBody(context)) ?? [], { ...readFilter(context), ...every }, context);
    if (every === undefined || found.length > 0) return found;
    const read = readListFor('every', context);
    if ('outcomes' in read) return read.outcomes;
    return read.value.length === 0 ? [{ needs: 'a pet in the list, since `every` in the scenario judges each' }] : [];
  },
};

type Parameter = Operation['parameters'][number];

function readFilter({ sent }: CheckContext): Readonly<Record<string, unknown>> {
  const asked = sent.query['status'];
  return !sent.validParameters || asked === undefined ? {} : { status: asked };
}

function findOthers(
  list: readonly ReceivedPet[],
  wanted: Readonly<Record<string, unknown>>,
  context: CheckContext,
): CheckFinding[] {
  const found = list.flatMap((pet, index) =>
    Object.entries(wanted).flatMap(([name, value]) => {
      if (sameJson(pet[name], value)) return [];
      const parameter = context.sent.operation?.parameters.find((each) => each.name === name);
      const known = name === 'status' ? findKnown(pet, parameter, context) : undefined;
      const isOther = known !== undefined && !sameJson(known, value);
      const finding = {
        rule: name,
        at: `body/${index}/${name}`,
        expected: show(value),
        actual: isOther ? `${show(known)}, as in the answer before` : show(pet[name]),
        ...(parameter === undefined ? {} : { contractPointer: parameter.pointer }),
      };
      return [{ finding, isOther }];
    }),
  );
  // Of many, few are kept: those that no other defect of the answer explains.
  const [known, shown] = [found.filter(({ isOther }) => isOther), found.filter(({ isOther }) => !isOther)];
  return [...known, ...shown].map(({ finding }) => finding);
}

/** Where a pet shows no status of the contract, the one that it is known to have, if statuses do not move by themselves. */
function findKnown(pet: ReceivedPet, parameter: Parameter | undefined, { memory }: CheckContext): unknown {
  const statuses = parameter?.schema['enum'];
  const isStatus = (value: unknown): boolean => Array.isArray(statuses) && statuses.includes(value);
  if (isStatus(pet['status']) || memory.moved.size > 0) return undefined;
  const known = memory.shownStatuses.get(keyOfJson(pet['id']));
  return isStatus(known) ? known : undefined;
}

export const everyKeyword: Keyword = {
  check: filterCheck,
  looksAt: 'list',
  findMistake(value, given) {
    const { status } = value as NonNullable<Expectation['every']>;
    return status === undefined ? undefined : findBadStatus(status, given);
  },
};
