import { sameJson } from '../../contract/document/same-json.js';
import { asList, show } from './pets.js';
import { successBody, type Check } from './check.js';

export const filterCheck: Check = {
  id: 'filter',
  title: 'every pet of a filtered list has the status asked for',
  run(context) {
    const { sent } = context;
    const asked = sent.query['status'];
    if (!sent.validParameters || asked === undefined) return [];
    const parameter = sent.operation?.parameters.find(({ name }) => name === 'status');
    return (asList(successBody(context)) ?? []).flatMap((pet, index) =>
      sameJson(pet['status'], asked)
        ? []
        : [
            {
              rule: 'status',
              at: `body/${index}/status`,
              expected: show(asked),
              actual: show(pet['status']),
              ...(parameter === undefined ? {} : { contractPointer: parameter.pointer }),
            },
          ],
    );
  },
};
