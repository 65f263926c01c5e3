import { expect, test } from 'vitest';
import { actOn, createDefaultProfile, loadGaps } from '../../../src/contract/gaps/gaps.js';
import { shippedGaps } from '../../support/shipped.js';
import { makeFile } from '../../support/folder.js';

const FIRST = `
  - id: order
    kind: choice
    question: In which order?
    contract: '#/paths'
    choices: {up: upwards, down: downwards}
    mock: up
    why: It is the usual one.
`;

const load = (text: string): ReturnType<typeof loadGaps> => loadGaps(makeFile('gaps.yaml', text), 'gaps.yaml');

test('every shipped gap has an id of its own and a choice of the mock with a reason', () => {
  expect(shippedGaps.length).toBeGreaterThan(25);
  expect(new Set(shippedGaps.map(({ id }) => id)).size).toBe(shippedGaps.length);
  expect(shippedGaps.every(({ id, why }) => /^[a-z]+(-[a-z]+)*$/.test(id) && why.endsWith('.'))).toBe(true);
});

test('the default profile makes the choice of the mock for every gap', () => {
  const { name, choices } = createDefaultProfile(shippedGaps);
  expect(name).toBe('default');
  expect(shippedGaps.every(({ id, kind, mock }) => choices[id] === (kind === 'choice' ? mock : undefined))).toBe(true);
});

test('a gap is read with all it says', () => {
  const choices = { up: 'upwards', down: 'downwards' };
  const read = { id: 'order', question: 'In which order?', contract: '#/paths', choices, mock: 'up' };
  expect(load(`gaps:${FIRST}`)).toMatchObject([read]);
});

const change = (from: string | RegExp, to: string): string => `gaps:${FIRST.replace(from, to)}`;
const VALUE = 'kind: value\n    value: date\n    none: nothing';

test.each([
  ['no list', 'profile: x', 'gaps.yaml:1:1: the list `gaps` is missing.'],
  ['no question', change(/question: .*/, ''), /^gaps\.yaml:2:5: a gap needs a text under `question`\.$/],
  ['no choice', change('mock: up', 'mock: left'), ':7:5: left is not a choice of order; the choices are up, down.'],
  ['no kind', change('kind: choice', 'kind: chioce'), /^gaps\.yaml:3:5: chioce is not a kind of gap/],
  ['a value of no type', change('kind: choice', VALUE), /a value is an integer or a text, not date\.$/],
  ['an observation without an item', change('kind: choice', 'kind: observation'), /a text under `item`/],
  ['a single choice', change(', down: downwards', ''), /at least two `choices`/],
  ['a gap twice', `gaps:${FIRST}${FIRST}`, /the gap order is there twice\.$/],
  ['no YAML', 'gaps: [', /^gaps\.yaml:\d+:\d+: this is not valid YAML/],
])('%s is refused with its place', (_, text, message) => expect(() => load(text)).toThrow(message));

test('what a table has for the choice of a profile is acted on, also where it is undefined', () => {
  const profile = { name: 'mine', choices: { order: 'down' } };
  expect(actOn(profile, 'order', { up: 1, down: 2 })).toBe(2);
  expect(actOn(profile, 'order', { up: 1, down: undefined })).toBeUndefined();
});

test.each([{}, { order: 'left' }, { order: 'constructor' }])('a profile of %j has no action', (choices) => {
  expect(() => actOn({ name: 'mine', choices }, 'order', { up: 1, down: 2 })).toThrow('the gap order has no action');
});
