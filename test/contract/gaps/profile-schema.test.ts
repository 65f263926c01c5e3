import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Gap } from '../../../src/contract/gaps/gaps.js';
import { ANSWER_FIELD, NONE, NOT_OBSERVED, OTHER, readProfile } from '../../../src/contract/gaps/profile.js';
import { listGapsOf } from '../../../src/contract/gaps/gaps-of-contract.js';
import { gapEntries, listGeneralGaps, shippedContract } from '../../support/shipped.js';

const { known } = listGapsOf(shippedContract, gapEntries);

const FILE = 'spec/profile.schema.json';
const text = { type: 'string' };
const evidence = { ...text, description: 'What shows it; of what was not observed: why.' };

/** The answers that a gap can have, one by one where they have names, so that editors show what each means. */
function describeAnswers(gap: Gap): object[] {
  const unknown = { const: NOT_OBSERVED, description: 'The mock does as by default.' };
  if (gap.kind === 'observation') return [{ type: 'array', items: text, description: `Each ${gap.item}.` }, unknown];
  if (gap.kind === 'value') {
    const value = gap.value === 'integer' ? { type: 'integer', minimum: 1 } : text;
    return [{ const: NONE, description: gap.mock }, unknown, value];
  }
  const named = Object.entries(gap.choices).map(([name, description]) => ({ const: name, description }));
  return [...named, { const: OTHER, description: 'None of these; the mock does as by default.' }, unknown];
}

function describeGap(gap: Gap): object {
  const field = ANSWER_FIELD[gap.kind];
  const answer = { anyOf: describeAnswers(gap) };
  return {
    description: gap.question,
    anyOf: [
      ...answer.anyOf,
      { type: 'object', required: [field], additionalProperties: false, properties: { [field]: answer, evidence } },
    ],
  };
}

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://unpkg.com/petstore-mock/spec/profile.schema.json',
  title: 'Profile of a petstore',
  description:
    'What a service does where the contract is silent, as petstore-conformance --write-profile writes it and petstore-mock --profile reads it.',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { ...text, description: 'Where this schema is, for editors.' },
    target: { ...text, description: 'The base URL that was observed.' },
    date: { ...text, description: 'The day of the run.' },
    contract: { ...text, description: 'Title and version of the contract.' },
    gaps: {
      type: 'object',
      additionalProperties: false,
      description: 'By the id of the gap its answer, alone or with its evidence.',
      properties: Object.fromEntries(known.map((gap) => [gap.id, describeGap(gap)])),
      patternProperties: Object.fromEntries(
        listGeneralGaps().map(({ id, gap }) => [`^[A-Za-z0-9-]+\\.${id}$`, describeGap(gap)]),
      ),
    },
  },
};

// `npx vitest run test/contract/gaps/profile-schema.test.ts -u` writes it anew.
test('the schema of profiles has the gaps and choices of gaps.yaml', async () =>
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(`../../../${FILE}`));

const validate = new Ajv2020({ strict: false }).compile(schema);

test.each([
  [{ gaps: { 'list-order': 'oldest-first' } }, true],
  [{ gaps: { 'list-order': { choice: 'other', evidence: 'x' } } }, true],
  [{ gaps: { 'name-length-limit': 50, 'deprecation-header': '@1', 'pet-fields': ['tags'] } }, true],
  [{ gaps: { 'name-length-limit': 'none', 'pet-fields': { seen: 'not-observed' } } }, true],
  [{ target: 'https://staging.example/v1', date: '2026-01-02', contract: 'Petstore 1.0.0', gaps: {} }, true],
  [{ gaps: { 'list-ordr': 'oldest-first' } }, false],
  [{ gaps: { 'list-order': 'oldest' } }, false],
  [{ gaps: { 'list-order': { choise: 'other' } } }, false],
  [{ gaps: { 'name-length-limit': 0 } }, false],
  [{ gaps: { 'pet-fields': 'tags' } }, false],
  [{ tarket: 'x' }, false],
])('of %j the schema and the reader think alike', (profile, isFine) => {
  expect(validate(profile)).toBe(isFine);
  expect(isReadable(profile)).toBe(isFine);
});

function isReadable(profile: unknown): boolean {
  try {
    readProfile(profile, known);
    return true;
  } catch {
    return false;
  }
}
