import { keyOfJson } from '../../contract/document/same-json.js';
import { asList, type Animal } from './pets.js';
import { successBody, type Check } from './check.js';

export const pageCheck: Check = {
  id: 'page',
  title: 'a list is as long as its limit when there are that many animals',
  run(context) {
    const list = asList(successBody(context));
    const wanted = context.expect.page;
    const all = readAll(wanted?.of);
    if (wanted === undefined || list === undefined || all === undefined) return [];
    if (all.length === 0) return [{ needs: 'an animal in the collection' }];
    const length = Math.min(Number(wanted.limit), all.length);
    if (list.length >= length) return [];
    return [
      {
        rule: 'full',
        at: 'body',
        expected: `${length} animals, since a longer list has ${all.length}`,
        actual: `${list.length} animals`,
        contractPointer: '/paths/~1pets/get/parameters/0',
        settles: true,
      },
    ];
  },
};

/** The animals of a list, or of several lists, each once. */
function readAll(of: unknown): Animal[] | undefined {
  const all = Array.isArray(of) ? asList(of.flat()) : undefined;
  return all === undefined ? undefined : [...new Map(all.map((animal) => [keyOfJson(animal['id']), animal])).values()];
}
