// What a run leaves out of all that a contract does not allow, since it would cost too many requests.
import type { Contract } from '../../contract/contract.js';
import { bindSubjects } from './bind-subjects.js';
import { listInvalid, MOST_INVALID } from './records/invalid-records.js';
import { listAllInvalidChanges, MOST_INVALID_CHANGES } from './tables/changes.js';

/** A sentence for each operation of which not all is tried. */
export function noteLeftOut(contract: Contract): string[] {
  return bindSubjects(contract).bindings.flatMap((binding) => {
    const { create, update, replace } = binding.subject.roles;
    const counts = [
      { id: create?.operation.id, all: listInvalid(binding).length, most: MOST_INVALID },
      { id: update?.operation.id, all: listAllInvalidChanges('update', binding).length, most: MOST_INVALID_CHANGES },
      { id: replace?.operation.id, all: listAllInvalidChanges('replace', binding).length, most: MOST_INVALID_CHANGES },
    ];
    return counts
      .filter(({ id, all, most }) => id !== undefined && all > most)
      .map(
        ({ id, all, most }) =>
          `not tried: ${all - most} of the ${all} ways found in which a body of ${id} breaks the contract`,
      );
  });
}
