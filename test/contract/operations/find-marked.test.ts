import { expect, test } from 'vitest';
import { findMarked } from '../../../src/contract/operations/marked-members.js';
import { parseContract } from '../../support/parse-contract.js';
import { yaml } from '../../support/yaml.js';

const contract = parseContract({
  paths: {},
  components: yaml`schemas:
  Plain: { type: object, properties: { name: {} } }
  User: { type: object, properties: { name: {}, password: { writeOnly: true }, token: { $ref: '#/components/schemas/Secret' } } }
  Secret: { writeOnly: true }
  Users: { type: array, items: { $ref: '#/components/schemas/User' } }
  ByName: { type: object, additionalProperties: { $ref: '#/components/schemas/User' } }
  Admin: { allOf: [{ $ref: '#/components/schemas/User' }, { type: object, properties: { level: { type: integer } } }] }
  Tree: { properties: { pin: { writeOnly: true }, parts: { type: array, items: { $ref: '#/components/schemas/Tree' } } } }
  Either: { oneOf: [{ properties: { kind: { const: a }, pin: { writeOnly: true } } }, { properties: { kind: { const: b } } }] }
  Any: { anyOf: [{ properties: { pin: { writeOnly: true } } }, { properties: { pin: {} } }] }`,
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
  const users = Array.from({ length: 5000 }, () => ({ password: 'b' }));
  expect(list('Users', users).length).toBeLessThan(100);
});
