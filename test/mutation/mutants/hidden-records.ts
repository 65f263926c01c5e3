import type { Fault } from './fault.js';
import { stated } from './stated.js';

/** Mutants in what is kept, and under which id. */
export const hiddenRecordFaults = {
  'asked-before-it-existed': {
    title: 'an animal whose id was asked for before it existed is never found (404 is cached)',
    breaks: stated.getOneAnimal,
    change: (base) => {
      const unknown = new Set<bigint>();
      return {
        findAnimal: (id, exchange) => {
          const found = unknown.has(id) ? undefined : base.findAnimal(id, exchange);
          if (found === undefined) unknown.add(id);
          return found;
        },
      };
    },
  },
  'escaped-id-not-found': {
    title: 'an id with a percent escape in it finds no animal',
    breaks: stated.getOneAnimal,
    change: (base) => ({
      findAnimal: (id, exchange) => (exchange.path.includes('%') ? undefined : base.findAnimal(id, exchange)),
    }),
  },
} satisfies Record<string, Fault>;
