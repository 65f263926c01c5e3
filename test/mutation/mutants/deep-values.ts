import type { Change } from '../server/behaviour.js';
import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { changeNames, changePets, changeText, makeRefusal, roundToDouble } from './planting.js';
import { stated } from './stated.js';

const everywhere = ['listPets', 'createPet', 'getPet'] as const;
const afterCreate = ['listPets', 'getPet'] as const;

/** Stores names as a lossy database column would. */
function storeNames(change: (name: string) => string): Change {
  return (base) => ({
    createPet: (pet, exchange) =>
      base.createPet(typeof pet.name === 'string' ? { ...pet, name: change(pet.name) } : pet, exchange),
  });
}

function crashOnCategory(test: (categoryId: bigint) => boolean): Change {
  return (base) => ({
    readNewPet: (body, exchange) => {
      const pet = base.readNewPet(body, exchange);
      const crashes = !(pet instanceof Refusal) && typeof pet.categoryId === 'bigint' && test(pet.categoryId);
      return crashes ? makeRefusal(500) : pet;
    },
  });
}

/** Mutants that show only with the right name or the right number. */
export const deepValueMutants = {
  ...breaking(stated.mediaType, ['json']).by({
    'quote-in-name-unescaped: a quotation mark in a name is not escaped': changeText(
      () => true,
      (text) => text.replaceAll('\\"', '"'),
    ),
    'newline-in-name-unescaped: a line break in a name is not escaped': changeText(
      () => true,
      (text) => text.replaceAll('\\n', '\n'),
    ),
  }),
  ...breaking(stated.created, ['record', 'own-records']).by({
    'quote-in-name-doubled: apostrophes in names come back doubled (SQL)': changeNames(afterCreate, (name) =>
      name.replaceAll("'", "''"),
    ),
    'backslash-in-name-lost: backslashes in names are lost': changeNames(afterCreate, (name) =>
      name.replaceAll('\\', ''),
    ),
    'nul-cuts-name: a name ends at a NUL character': changeNames(afterCreate, (name) => name.replace(/\0.*/s, '')),
    'percent-in-name-decoded: percent escapes in names are decoded': changeNames(afterCreate, (name) =>
      name.replace(/%[2-7][0-9a-f]/gi, (escape) => decodeURIComponent(escape)),
    ),
    'markup-in-name-removed: tags in names are removed': changeNames(afterCreate, (name) =>
      name.replace(/<[^>]*>/g, ''),
    ),
    'spaces-in-name-collapsed: several spaces in a name become one': changeNames(afterCreate, (name) =>
      name.replace(/ +/g, ' '),
    ),
    'emoji-in-name-lost: characters past U+FFFF in names become question marks': changeNames(afterCreate, (name) =>
      name.replace(/[\u{10000}-\u{10FFFF}]/gu, '?'),
    ),
    'emoji-cuts-name: a name ends before the first character past U+FFFF (a three-byte column)': changeNames(
      afterCreate,
      (name) => name.replace(/[\u{10000}-\u{10FFFF}].*/su, ''),
    ),
    'name-accents-stripped: names lose their accents when fetched': changeNames('getPet', (name) =>
      name.normalize('NFD').replace(/\p{M}/gu, ''),
    ),
  }),
  ...breaking(stated.petName, ['body']).by({
    'null-as-name-is-null: the name "null" becomes null': changeNames(everywhere, (name) =>
      name === 'null' ? null : name,
    ),
    'true-as-name-is-true: the name "true" becomes true when fetched (YAML)': changeNames('getPet', (name) =>
      name === 'true' ? true : name,
    ),
  }),
  ...breaking(stated.created, ['record']).by({
    'surrogates-broken: characters past U+FFFF become two replacement characters': changeNames(everywhere, (name) =>
      name.replace(/[\u{10000}-\u{10FFFF}]/gu, '\uFFFD\uFFFD'),
    ),
    'braces-in-name-evaluated: what stands in double braces in a name is taken for a template': storeNames((name) =>
      name.replace(/\{\{.*?\}\}/g, '49'),
    ),
    'line-separator-in-name-lost: U+2028 in names is lost': storeNames((name) => name.replaceAll('\u2028', '')),
    'no-break-space-becomes-space: no-break spaces in names become spaces': storeNames((name) =>
      name.replaceAll('\u00A0', ' '),
    ),
    'leading-equals-sign-quoted: an apostrophe is put before a name that a spreadsheet would compute': storeNames(
      (name) => name.replace(/^[=+@-]/, "'$&"),
    ),
  }),
  ...breaking(stated.created, ['record'], { reading: 'names-kept' }).by({
    'name-normalised: names are normalised (NFC) before they are stored': storeNames((name) => name.normalize('NFC')),
  }),
  ...breaking(stated.petName, ['own-records']).by({
    'name-normalised-in-lists: lists show names in another normal form (NFD) than createPet': changeNames(
      'listPets',
      (name) => name.normalize('NFD'),
    ),
  }),
  ...breaking(stated.mediaType, ['record']).by({
    'escapes-kept: \\u escapes in a body are not decoded': (base) => ({
      parseBody: (exchange) => {
        const text = exchange.body.toString('latin1').replaceAll('\\u', '\\\\u');
        return base.parseBody({ ...exchange, body: Buffer.from(text, 'latin1') });
      },
    }),
  }),
  ...breaking(stated.mediaType, ['status']).by({
    'space-before-body-refused: a body that starts with white space is refused': (base) => ({
      parseBody: (exchange) =>
        /^\s/.test(exchange.body.toString('latin1')) ? makeRefusal(400) : base.parseBody(exchange),
    }),
  }),
  ...breaking(stated.petCategory, ['body']).by({
    'category-rounded-on-store: categories past 2^53 are rounded before they are stored': (base) => ({
      createPet: (pet, exchange) =>
        base.createPet({ ...pet, categoryId: roundToDouble(pet.categoryId) ?? null }, exchange),
    }),
    'category-unsigned: negative categories become large positive ones': changePets(everywhere, (pet) =>
      typeof pet.categoryId === 'bigint' ? { ...pet, categoryId: BigInt.asUintN(64, pet.categoryId) } : pet,
    ),
  }),
  ...breaking(stated.petCategory, ['record']).by({
    'category-rounded-in-201: categories past 2^53 are rounded in the answer to createPet only': changePets(
      'createPet',
      (pet) => ({ ...pet, categoryId: roundToDouble(pet.categoryId) }),
    ),
    'category-scientific: categories past 10^15 lose digits to scientific notation': changeText(
      () => true,
      (text) =>
        text.replace(
          /"categoryId":(\d{16,})/g,
          (_match, digits: string) => `"categoryId":${Number(digits).toExponential(6)}`,
        ),
    ),
  }),
  ...breaking(stated.petCategory, ['server-error']).by({
    'largest-category-500: the largest int64 as categoryId makes it crash': crashOnCategory(
      (id) => id === 2n ** 63n - 1n,
    ),
    'category-past-int32-500: a categoryId past int32 makes it crash': crashOnCategory((id) => id >= 2n ** 31n),
  }),
} satisfies Record<string, Mutant>;
