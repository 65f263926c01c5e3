import { expect, expectTypeOf, test } from 'vitest';
import { checkOptions, OF_A_SERVER, OF_AN_APP, OF_EVERY_PETSTORE } from '../../src/options/petstore-options.js';
import type { ListeningOptions, PetstoreOptions } from '../../src/server/options.js';
import type { PetstoreFetchOptions } from '../../src/testing/create-petstore-fetch.js';

test('every option of the library has a rule, and every rule is of an option', () => {
  expectTypeOf<keyof typeof OF_EVERY_PETSTORE>().toEqualTypeOf<keyof PetstoreFetchOptions>();
  expectTypeOf<keyof typeof OF_AN_APP>().toEqualTypeOf<keyof PetstoreOptions>();
  expectTypeOf<keyof typeof OF_A_SERVER>().toEqualTypeOf<keyof ListeningOptions>();
});

test('options may be left out, and be undefined', () => {
  const good: ListeningOptions = { port: undefined, delay: { from: 1, to: 2 }, apiKey: ['a', 'b'], now: new Date(0) };
  expect(() => checkOptions(good, OF_A_SERVER)).not.toThrow();
  expect(() => checkOptions({}, OF_AN_APP)).not.toThrow();
});

test.each<[object, string]>([
  [{ prot: 1 }, 'there is no option prot; did you mean port?'],
  [{ constructor: 1 }, 'there is no option constructor.'],
  [{ port: '80' }, 'the option port must be a whole number from 0 to 65535, not the text "80".'],
  [{ count: 1.5 }, 'the option count must be a whole number from 0, not 1.5.'],
  [{ apiKey: 'my secret' }, 'the option apiKey has a space, as character 3;'],
  [{ apiKey: [] }, 'the option apiKey must be a key, or several.'],
  [{ adminToken: 12_345_678 }, 'the option adminToken must be a text; put a number in quotes.'],
  [{ delay: { from: 9, to: 1 } }, 'the option delay is a reversed range, 9-1; write 1-9.'],
  [{ faults: 'createPet:500' }, 'the option faults must be a list of faults, not createPet:500.'],
  [{ now: new Date('never') }, 'the option now must be a date such as 2030-12-05'],
  [{ cors: 'yes' }, 'the option cors must be true or false, not yes.'],
])('%j is refused', (options, message) => expect(() => checkOptions(options, OF_A_SERVER)).toThrow(message));

test('where there is no server there is no port', () => {
  expect(() => checkOptions({ port: 1 } as PetstoreOptions, OF_AN_APP)).toThrow('there is no option port.');
  expect(() => checkOptions({ cors: true } as PetstoreFetchOptions, OF_EVERY_PETSTORE)).toThrow(
    'there is no option cors',
  );
});
