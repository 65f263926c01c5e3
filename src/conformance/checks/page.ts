import { keyOfJson } from '../../contract/document/same-json.js';
import { asList, show, type Animal } from './pets.js';
import { readContractValues } from '../scenarios/contract-values.js';
import { successBody, type Check, type CheckContext } from './check.js';
import { countCreatesFor } from './lacking-pets.js';

export const pageCheck: Check = {
  id: 'page',
  title: 'a list is as long as its limit when there are that many animals',
  run(context) {
    const list = asList(successBody(context));
    const wanted = context.expect.page;
    const all = readAll(wanted?.of);
    if (wanted === undefined || list === undefined || all === undefined) return [];
    if (all.length === 0) return [{ needs: 'an animal in the collection' }];
    const limit = Number(wanted.limit);
    const length = Math.min(limit, all.length);
    if (list.length >= length) {
      const wasTried = wanted.whole === true || all.length > limit || list.length > limit;
      return wasTried ? [] : [{ needs: describeLack(context, { limit, there: all.length }) }];
    }
    return [
      {
        rule: 'full',
        at: 'body',
        expected: `${length} animals, since a longer list has ${all.length}`,
        actual: `${list.length} animals`,
        contractPointer: '/paths/~1pets/get/parameters/0',
        settles: true,
        // The limit is a maximum: by the letter a page may be shorter, even empty.
        gap: { id: 'short-pages', choice: 'shorter' },
        severity: context.strict ? 'deviation' : 'information',
      },
    ];
  },
};

/** A page cannot have more than its limit while there are no more. */
function describeLack(
  { contract, memory, sent }: CheckContext,
  { limit, there }: { limit: number; there: number },
): string {
  const status = sent.query['status'];
  const creates = countCreatesFor(memory, readContractValues(contract), { status, count: limit + 1, there });
  const which = status === undefined ? '' : ` with status ${show(status)}`;
  return `${limit + 1} pets${which}, and the collection has ${there}: allow --max-creates ${creates}`;
}

/** The animals of a list, or of several lists, each once. */
function readAll(of: unknown): Animal[] | undefined {
  const all = Array.isArray(of) ? asList(of.flat()) : undefined;
  return all === undefined ? undefined : [...new Map(all.map((animal) => [keyOfJson(animal['id']), animal])).values()];
}
