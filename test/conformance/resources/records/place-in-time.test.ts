import { expect, test } from 'vitest';
import { nextDay, placeInTime } from '../../../../src/conformance/resources/fit-record.js';
import type { Field } from '../../../../src/conformance/resources/resource-under-test.js';

const NOW = Date.parse('2026-11-22T17:30:00Z');

function fieldOf(name: string, schema: Record<string, unknown> = { format: 'date' }): Field {
  const always = { required: true, schemaPointer: '', isNullable: false, isShown: true, recordPointer: undefined };
  return { name, schema, type: 'string', ...always };
}

function place(name: string, schema?: Record<string, unknown>): unknown {
  return placeInTime({ made: { [name]: 'as it was' } }, [fieldOf(name, schema)], NOW)[name];
}

test.each([
  ['startsAt', '2026-11-29'],
  ['starts_at', '2026-11-29'],
  ['date', '2026-11-29'],
  ['endDate', '2026-12-06'],
  ['valid_until', '2026-12-06'],
  ['dueDate', '2026-12-06'],
  ['createdOn', '2026-10-23'],
])('%s is %s on 22 November 2026', (name, text) => expect(place(name)).toBe(text));

test('who has a birthday is of age', () => expect(String(place('birthDate')) < '1998').toBe(true));

test('a time begins with the day, so that a run sends the same all day', () =>
  expect(place('startsAt', { format: 'date-time' })).toBe('2026-11-29T00:00:00.000Z'));

test.each([
  { format: 'date', example: '2001-02-03' },
  { format: 'date', enum: ['2001-02-03'] },
  { format: 'email' },
  {},
])('what the contract says more of, or what is no time, stays: %j', (schema) => {
  expect(place('startsAt', schema)).toBe('as it was');
});

test('the day after has the same form; what is no time has none', () => {
  expect(nextDay('2026-02-28', 'date')).toBe('2026-03-01');
  expect(nextDay('2026-02-28T10:00:00Z', 'date-time')).toBe('2026-03-01T10:00:37.000Z');
  expect(nextDay('soon', 'date')).toBeUndefined();
});

test('of arriving and departing, what is listed first comes first', () => {
  const order = (...names: string[]): string[] => {
    const made = Object.fromEntries(names.map((name) => [name, '']));
    const fields = names.map((name) => fieldOf(name));
    const placed = Object.entries(placeInTime({ made }, fields, NOW));
    return placed.toSorted(([, one], [, other]) => (String(one) < String(other) ? -1 : 1)).map(([name]) => name);
  };
  expect(order('arrivesAt', 'departsAt')).toEqual(['arrivesAt', 'departsAt']);
  expect(order('departsAt', 'arrivesAt')).toEqual(['departsAt', 'arrivesAt']);
  expect(order('returnsOn', 'leavesOn')).toEqual(['leavesOn', 'returnsOn']);
});

test("the example's times stay where all lie ahead", () => {
  const fields = [fieldOf('from'), fieldOf('until')];
  const made = { from: '', until: '' };
  const ahead = { from: '2031-06-01', until: '2031-06-03' };
  expect(placeInTime({ made, shown: ahead }, fields, NOW)).toEqual(ahead);
  const placed = { from: '2026-11-29', until: '2026-12-06' };
  expect(placeInTime({ made, shown: { ...ahead, from: '2021-06-01' } }, fields, NOW)).toEqual(placed);
  expect(placeInTime({ made, shown: { from: '2031-06-01' } }, fields, NOW)).toEqual(placed);
});
