import { asList, show } from './pets.js';
import { successBody, type Check } from './check.js';
import { findOperation } from './places.js';

export const storedOnceCheck: Check = {
  id: 'stored-once',
  title: 'a pet that was created once is listed once',
  ofPets: true,
  comparesAnswers: true,
  run(context) {
    const { mark, sentNames } = context.memory;
    const names = (asList(successBody(context)) ?? []).map(({ name }) => name);
    const contractPointer = findOperation(context.contract, 'createPet')?.pointer;
    const counts = new Map<string, number>();
    return names.flatMap((name, index) => {
      // Only names with the run's mark cannot come from other clients.
      if (typeof name !== 'string' || !name.includes(mark)) return [];
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      const sent = sentNames.get(name) ?? 0;
      if (sent === 0 || count !== sent + 1) return [];
      const expected = `${show(name)} ${sent === 1 ? 'once' : `${sent} times`}, as often as it was created`;
      return [{ rule: 'once', at: `body/${index}`, expected, actual: 'once more', contractPointer }];
    });
  },
};
