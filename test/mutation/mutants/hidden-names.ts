import type { Change } from '../server/behaviour.js';
import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { changeNames, makeRefusal } from './planting.js';
import { stated } from './stated.js';

const everywhere = ['listPets', 'createPet', 'getPet'] as const;
const afterCreate = ['listPets', 'getPet'] as const;

/** Refuses pets of some names as if the service had failed. */
function crashOnName(test: (name: string) => boolean): Change {
  return (base) => ({
    readNewPet: (body, exchange) => {
      const pet = base.readNewPet(body, exchange);
      const crashes = !(pet instanceof Refusal) && typeof pet.name === 'string' && test(pet.name);
      return crashes ? makeRefusal(500) : pet;
    },
  });
}

/** Mutants that take a name for something else than a text. */
export const hiddenNameMutants = {
  ...breaking(stated.petName, ['body']).by({
    'no-as-name-is-false: the name "no" becomes false in lists (YAML 1.1)': changeNames('listPets', (name) =>
      name === 'no' ? false : name,
    ),
    'tilde-as-name-is-null: the name "~" becomes null when fetched (YAML)': changeNames('getPet', (name) =>
      name === '~' ? null : name,
    ),
    'hexadecimal-name-computed: a name such as 0x1F becomes a decimal number in lists': changeNames(
      'listPets',
      (name) => (/^0x[0-9a-f]+$/i.test(name) ? BigInt(name) : name),
    ),
    'undefined-as-name-is-dropped: a pet that is called undefined has no name in lists': changeNames(
      'listPets',
      (name) => (name === 'undefined' ? null : name),
    ),
  }),
  ...breaking(stated.created, ['record']).by({
    'exponent-as-name-computed: a name such as 1e3 is written out as 1000 (a spreadsheet)': changeNames(
      everywhere,
      (name) => (/^\d+e\d+$/i.test(name) ? String(Number(name)) : name),
    ),
  }),
  ...breaking(stated.created, ['record', 'own-records']).by({
    'date-as-name-gets-a-time: a name that is a date gets a time of day when fetched': changeNames('getPet', (name) =>
      /^\d{4}-\d\d-\d\d$/.test(name) ? new Date(name).toISOString() : name,
    ),
    'typographic-signs-replaced: typographic quotation marks, dashes and dots become those of a typewriter':
      changeNames(afterCreate, (name) =>
        name
          .replace(/[\u201C\u201D\u201E]/g, '"')
          .replace(/[\u2013\u2014]/g, '-')
          .replaceAll('\u2026', '...'),
      ),
  }),
  ...breaking(stated.created, ['server-error']).by({
    'word-of-objects-as-name-500: a name that every JavaScript object has as a property makes it crash': crashOnName(
      (name) => name !== '__proto__' && name in {},
    ),
  }),
  ...breaking(stated.collection, ['status']).by({
    'pet-called-proto-lost: a pet that is called __proto__ is created and never seen again (it is kept in an object by name)':
      (base) => ({
        findPet: (id, exchange) => {
          const found = base.findPet(id, exchange);
          return found?.name === '__proto__' ? undefined : found;
        },
        inListOrder: (store, exchange) =>
          [...base.inListOrder(store, exchange)].filter(({ name }) => name !== '__proto__'),
      }),
  }),
  ...breaking(stated.petName, ['own-records']).by({
    'direction-marks-removed: marks of the direction of writing are removed from names in lists': changeNames(
      'listPets',
      (name) => name.replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, ''),
    ),
  }),
} satisfies Record<string, Mutant>;
