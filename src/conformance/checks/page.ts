import { asList } from '../animals.js';
import { successBody, type Check } from './check.js';

export const pageCheck: Check = {
  id: 'page',
  title: 'a list is as long as its limit when there are that many animals',
  run(context) {
    const list = asList(successBody(context));
    const wanted = context.expect.page;
    const all = asList(wanted?.of);
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
