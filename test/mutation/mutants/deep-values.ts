import type { Change } from '../server/behaviour.js';
import { Refusal } from '../server/replies.js';
import type { Mutant } from './mutant.js';
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
  'quote-in-name-unescaped': {
    title: 'a quotation mark in a name is not escaped',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(
      () => true,
      (text) => text.replaceAll('\\"', '"'),
    ),
  },
  'newline-in-name-unescaped': {
    title: 'a line break in a name is not escaped',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(
      () => true,
      (text) => text.replaceAll('\\n', '\n'),
    ),
  },
  'quote-in-name-doubled': {
    title: 'apostrophes in names come back doubled (SQL)',
    breaks: stated.created,
    foundBy: ['record', 'own-records'],
    change: changeNames(afterCreate, (name) => name.replaceAll("'", "''")),
  },
  'backslash-in-name-lost': {
    title: 'backslashes in names are lost',
    breaks: stated.created,
    foundBy: ['record', 'own-records'],
    change: changeNames(afterCreate, (name) => name.replaceAll('\\', '')),
  },
  'nul-cuts-name': {
    title: 'a name ends at a NUL character',
    breaks: stated.created,
    foundBy: ['record', 'own-records'],
    change: changeNames(afterCreate, (name) => name.replace(/\0.*/s, '')),
  },
  'percent-in-name-decoded': {
    title: 'percent escapes in names are decoded',
    breaks: stated.created,
    foundBy: ['record', 'own-records'],
    change: changeNames(afterCreate, (name) =>
      name.replace(/%[2-7][0-9a-f]/gi, (escape) => decodeURIComponent(escape)),
    ),
  },
  'markup-in-name-removed': {
    title: 'tags in names are removed',
    breaks: stated.created,
    foundBy: ['record', 'own-records'],
    change: changeNames(afterCreate, (name) => name.replace(/<[^>]*>/g, '')),
  },
  'spaces-in-name-collapsed': {
    title: 'several spaces in a name become one',
    breaks: stated.created,
    foundBy: ['record', 'own-records'],
    change: changeNames(afterCreate, (name) => name.replace(/ +/g, ' ')),
  },
  'null-as-name-is-null': {
    title: 'the name "null" becomes null',
    breaks: stated.petName,
    foundBy: ['body'],
    change: changeNames(everywhere, (name) => (name === 'null' ? null : name)),
  },
  'true-as-name-is-true': {
    title: 'the name "true" becomes true when fetched (YAML)',
    breaks: stated.petName,
    foundBy: ['body'],
    change: changeNames('getPet', (name) => (name === 'true' ? true : name)),
  },
  'emoji-in-name-lost': {
    title: 'characters past U+FFFF in names become question marks',
    breaks: stated.created,
    foundBy: ['record', 'own-records'],
    change: changeNames(afterCreate, (name) => name.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  },
  'emoji-cuts-name': {
    title: 'a name ends before the first character past U+FFFF (a three-byte column)',
    breaks: stated.created,
    foundBy: ['record', 'own-records'],
    change: changeNames(afterCreate, (name) => name.replace(/[\u{10000}-\u{10FFFF}].*/su, '')),
  },
  'surrogates-broken': {
    title: 'characters past U+FFFF become two replacement characters',
    breaks: stated.created,
    foundBy: ['record'],
    change: changeNames(everywhere, (name) => name.replace(/[\u{10000}-\u{10FFFF}]/gu, '\uFFFD\uFFFD')),
  },
  'name-normalised': {
    title: 'names are normalised (NFC) before they are stored',
    breaks: stated.created,
    foundBy: ['record'],
    reading: 'names-kept',
    change: storeNames((name) => name.normalize('NFC')),
  },
  'name-normalised-in-lists': {
    title: 'lists show names in another normal form (NFD) than createPet',
    breaks: stated.petName,
    foundBy: ['own-records'],
    change: changeNames('listPets', (name) => name.normalize('NFD')),
  },
  'name-accents-stripped': {
    title: 'names lose their accents when fetched',
    breaks: stated.created,
    foundBy: ['record', 'own-records'],
    change: changeNames('getPet', (name) => name.normalize('NFD').replace(/\p{M}/gu, '')),
  },
  'escapes-kept': {
    title: '\\u escapes in a body are not decoded',
    breaks: stated.mediaType,
    foundBy: ['record'],
    change: (base) => ({
      parseBody: (exchange) => {
        const text = exchange.body.toString('latin1').replaceAll('\\u', '\\\\u');
        return base.parseBody({ ...exchange, body: Buffer.from(text, 'latin1') });
      },
    }),
  },
  'space-before-body-refused': {
    title: 'a body that starts with white space is refused',
    breaks: stated.mediaType,
    foundBy: ['status'],
    change: (base) => ({
      parseBody: (exchange) =>
        /^\s/.test(exchange.body.toString('latin1')) ? makeRefusal(400) : base.parseBody(exchange),
    }),
  },
  'category-rounded-on-store': {
    title: 'categories past 2^53 are rounded before they are stored',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: (base) => ({
      createPet: (pet, exchange) =>
        base.createPet({ ...pet, categoryId: roundToDouble(pet.categoryId) ?? null }, exchange),
    }),
  },
  'category-rounded-in-201': {
    title: 'categories past 2^53 are rounded in the answer to createPet only',
    breaks: stated.petCategory,
    foundBy: ['record'],
    change: changePets('createPet', (pet) => ({ ...pet, categoryId: roundToDouble(pet.categoryId) })),
  },
  'category-unsigned': {
    title: 'negative categories become large positive ones',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: changePets(everywhere, (pet) =>
      typeof pet.categoryId === 'bigint' ? { ...pet, categoryId: BigInt.asUintN(64, pet.categoryId) } : pet,
    ),
  },
  'category-scientific': {
    title: 'categories past 10^15 lose digits to scientific notation',
    breaks: stated.petCategory,
    foundBy: ['record'],
    change: changeText(
      () => true,
      (text) =>
        text.replace(
          /"categoryId":(\d{16,})/g,
          (_match, digits: string) => `"categoryId":${Number(digits).toExponential(6)}`,
        ),
    ),
  },
  'largest-category-500': {
    title: 'the largest int64 as categoryId makes it crash',
    breaks: stated.petCategory,
    foundBy: ['server-error'],
    change: crashOnCategory((id) => id === 2n ** 63n - 1n),
  },
  'category-past-int32-500': {
    title: 'a categoryId past int32 makes it crash',
    breaks: stated.petCategory,
    foundBy: ['server-error'],
    change: crashOnCategory((id) => id >= 2n ** 31n),
  },
  'braces-in-name-evaluated': {
    title: 'what stands in double braces in a name is taken for a template',
    breaks: stated.created,
    foundBy: ['record'],
    change: storeNames((name) => name.replace(/\{\{.*?\}\}/g, '49')),
  },
  'line-separator-in-name-lost': {
    title: 'U+2028 in names is lost',
    breaks: stated.created,
    foundBy: ['record'],
    change: storeNames((name) => name.replaceAll('\u2028', '')),
  },
  'no-break-space-becomes-space': {
    title: 'no-break spaces in names become spaces',
    breaks: stated.created,
    foundBy: ['record'],
    change: storeNames((name) => name.replaceAll('\u00A0', ' ')),
  },
  'leading-equals-sign-quoted': {
    title: 'an apostrophe is put before a name that a spreadsheet would compute',
    breaks: stated.created,
    foundBy: ['record'],
    change: storeNames((name) => name.replace(/^[=+@-]/, "'$&")),
  },
} satisfies Record<string, Mutant>;
