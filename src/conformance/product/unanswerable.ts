import type { Contract } from '../../contract/contract.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import type { Operation } from '../../contract/model.js';
import { findContradiction, type Contradiction } from '../../contract/schemas/impossible.js';
import { placeIn } from '../../contract/schemas/violation.js';
import { showPlace } from '../subjects/records/given-records.js';

/** The operations whose successful answers contradict themselves, by their ids, with the reason: every target would deviate. */
export function listUnanswerable(contract: Contract): [string, string][] {
  return contract.operations.flatMap((operation): [string, string][] => {
    const found = findIn(operation, contract);
    return found === undefined ? [] : [[operation.id, describe(found, contract)]];
  });
}

function findIn({ responses }: Operation, { document }: Contract): Contradiction | undefined {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  const found = successes.map(({ content }) => {
    const isAllJson = content.length > 0 && content.every(({ mediaType }) => isJsonMediaType(mediaType));
    const pointer = isAllJson ? content[0]?.schemaPointer : undefined;
    return pointer === undefined ? undefined : findContradiction(document, pointer);
  });
  return found.every((each) => each !== undefined) ? found[0] : undefined;
}

function describe({ name, pointer }: Contradiction, { document }: Contract): string {
  const place = placeIn(document, pointer);
  const excluded = `its \`additionalProperties: false\` (${showPlace(place)}, #${place.pointer}) knows only the properties beside it`;
  return `no response can be valid: \`${name}\` is required, and ${excluded}; listing it there helps`;
}
