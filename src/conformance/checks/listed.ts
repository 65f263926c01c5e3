import { keyOfJson } from '../../contract/document/same-json.js';
import { asList, isAnimal, show } from './pets.js';
import { successBody, type Check } from './check.js';

export const listedCheck: Check = {
  id: 'listed',
  title: 'an animal that can be fetched is in a list that is complete',
  run(context) {
    const animal = successBody(context);
    const wanted = context.expect.listed;
    const list = asList(wanted?.in);
    if (wanted === undefined || list === undefined || !isAnimal(animal)) return [];
    if (list.some(({ id }) => keyOfJson(id) === keyOfJson(animal['id']))) return [];
    if (list.length >= Number(wanted.limit)) return [{ needs: 'a list that ends before its limit' }];
    return [
      {
        rule: 'present',
        at: 'body/id',
        expected: 'an animal of the list, which is complete',
        actual: `${show(animal['id'])}, which the list does not have`,
        contractPointer: '/paths/~1pets/get',
        // Others create and remove meanwhile, and lists may lag behind.
        settles: true,
      },
    ];
  },
};
