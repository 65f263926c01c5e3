import { expect, test } from 'vitest';
import { findMarked } from '../../../src/contract/operations/marked-members.js';
import { parseContract } from '../../support/parse-contract.js';

const secret = { type: 'string', writeOnly: true };
const text = { type: 'string' };
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

const contract = parseContract({
  paths: {},
  components: {
    schemas: {
      Plain: object({ name: text }),
      User: object({ name: text, password: secret, token: { $ref: '#/components/schemas/Secret' } }),
      Secret: secret,
      Users: { type: 'array', items: { $ref: '#/components/schemas/User' } },
      ByName: { type: 'object', additionalProperties: { $ref: '#/components/schemas/User' } },
      Admin: { allOf: [{ $ref: '#/components/schemas/User' }, object({ level: { type: 'integer' } })] },
      Tree: object({ pin: secret, parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } }),
      Either: { oneOf: [object({ kind: { const: 'a' }, pin: secret }), object({ kind: { const: 'b' }, pin: text })] },
      Any: { anyOf: [object({ pin: secret }), object({ pin: text })] },
    },
  },
});

const list = (schema: string, value: unknown): string[] =>
  findMarked(contract, `/components/schemas/${schema}`, value, 'writeOnly').map(({ at }) => at);

test.each<[string, unknown, string[]]>([
  ['Plain', { name: 'a', password: 'b' }, []],
  ['User', { name: 'a', password: null }, []],
  ['User', { name: 'a', password: 'b', token: 'c' }, ['/password', '/token']],
  ['User', 'no object', []],
  ['Users', [{ name: 'a' }, { password: 'b' }], ['/1/password']],
  ['ByName', { ann: { password: 'b' }, ben: {} }, ['/ann/password']],
  ['Admin', { level: 1, password: 'b' }, ['/password']],
  ['Tree', { parts: [{ parts: [{ pin: 'b' }] }] }, ['/parts/0/parts/0/pin']],
  ['Either', { kind: 'a', pin: 'b' }, ['/pin']],
  ['Either', { kind: 'b', pin: 'b' }, []],
  ['Any', { pin: 'b' }, []],
])('what %s marks as write only is found in %j', (schema, value, places) => {
  expect(list(schema, value)).toEqual(places);
});

test('of a long list, some are found', () => {
  expect(
    list(
      'Users',
      Array.from({ length: 5000 }, () => ({ password: 'b' })),
    ).length,
  ).toBeLessThan(100);
});
