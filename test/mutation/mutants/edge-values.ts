import type { Change, Exchange } from '../server/behaviour.js';
import { breaking, type Mutant } from './mutant.js';
import { changeNames, refuseWhen } from './planting.js';
import { stated } from './stated.js';

/** Whether the text of a new pet looks so. */
function isText(pattern: RegExp): (exchange: Exchange) => boolean {
  return ({ body, operation }) => operation === 'createPet' && pattern.test(body.toString());
}

/** Takes a pet for one that is there, if their names are the same in some form. */
function foldNames(fold: (name: string) => string): Change {
  return (base) => ({
    createPet: (pet, exchange) => {
      const like = (name: unknown): unknown => (typeof name === 'string' ? fold(name) : name);
      return (
        exchange.store.pets.find(({ name }) => like(name) === like(pet.name) && name !== pet.name) ??
        base.createPet(pet, exchange)
      );
    },
  });
}

/** Mutants that a value at the edge of what programs read shows. */
export const edgeValueMutants = {
  ...breaking(stated.created, ['record', 'own-records', 'body']).by({
    'zero-as-name-is-empty: the name "0" is no name when fetched': changeNames('getPet', (name) =>
      name === '0' ? '' : name,
    ),
    'digits-as-name-become-a-number: a name of digits becomes a number when fetched': changeNames('getPet', (name) =>
      /^[1-9]\d*$/.test(name) ? BigInt(name) : name,
    ),
    'scripts-are-removed: scripts of HTML are removed from names': changeNames(['createPet', 'getPet'], (name) =>
      name.replace(/<script.*<\/script>/, ''),
    ),
    'tags-become-signs: :dog: becomes a picture': changeNames('getPet', (name) => name.replace(':dog:', '\u{1F436}')),
    'one-mark-a-letter: of the marks on a letter, one is stored': changeNames(['createPet', 'getPet'], (name) =>
      name.replace(/(\p{M})\p{M}+/gu, '$1'),
    ),
    'names-cut-at-255-bytes: names of at most 255 letters are cut at 255 bytes': changeNames(
      ['createPet', 'getPet'],
      (name) => (name.length > 255 ? name : Buffer.from(name).subarray(0, 255).toString()),
    ),
  }),
  ...breaking(stated.uniqueId, ['record', 'own-records']).by({
    'wide-names-are-one: a name in fullwidth letters is taken for that in plain ones': foldNames((name) =>
      name.normalize('NFKC'),
    ),
    'joiners-are-nothing: names that differ in a joiner are taken for one': foldNames((name) =>
      name.replaceAll('\u200D', ''),
    ),
  }),
  ...breaking(stated.refused, ['server-error']).by({
    'many-digits-500: a number of thousands of digits makes it fail': refuseWhen(isText(/\d{1000}/), 500),
    'great-exponent-500: a number with a great exponent makes it fail': refuseWhen(isText(/\de\d{5}/), 500),
  }),
} satisfies Record<string, Mutant>;
