import { expect, test } from 'vitest';
import { parseContract } from '../../../support/parse-contract.js';
import { listRuleBreaks } from '../../../../src/conformance/resources/invalid-records.js';

const contract = parseContract(
  `openapi: 3.1.0
info: { title: Rules, version: '1' }
paths: {}
components:
  schemas:
    Contact:
      type: object
      minProperties: 1
      propertyNames: { pattern: '^[A-Za-z-]+$' }
      patternProperties: { '^x-': { type: string } }
      properties: { street: { type: string }, town: { type: string } }
      dependentRequired: { street: [town] }
    Interests: { type: array, contains: { const: reading } }
    Price: { oneOf: [{ type: integer }, { type: object, required: [net], properties: { net: { type: integer } } }] }
    Plain: { type: string, minLength: 2 }
`,
  { shownAs: 'rules.yaml' },
);

test.each([
  [
    'Contact',
    { street: 'Mill Lane', town: 'Ely', 'x-note': 'Ring' },
    {
      patternProperties: { street: 'Mill Lane', town: 'Ely', 'x-note': 48_151_623 },
      propertyNames: { street: 'Mill Lane', town: 'Ely', 'x-note': 'Ring', '~ no fit ~': 'text' },
      dependentRequired: { street: 'Mill Lane', 'x-note': 'Ring' },
      minProperties: {},
    },
  ],
  ['Interests', ['reading', 'chess'], { contains: [] }],
  ['Price', 7, { oneOf: 'no-such-value' }],
  ['Plain', 'text', {}],
])('each rule of %s is broken by a value that breaks nothing else', (name, own, expected) => {
  const found = listRuleBreaks(own, `/components/schemas/${name}`, contract);
  expect(Object.fromEntries(found.map(({ rule, change }) => [rule, change(own)]))).toEqual(expected);
});
