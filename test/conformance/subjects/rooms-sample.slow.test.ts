import { expect, test } from 'vitest';
import { judgeRooms, listDeviating } from './support/judge-service.js';

const BOOKINGS = ['bookings/records/*', 'bookings/parents/*'];

test('records that are created only among those of another are judged, and need times that lie ahead', async () => {
  const { problems, scenarios } = await judgeRooms([], BOOKINGS);
  expect(problems).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(scenarios.map(({ id }) => id)).toContain('bookings/parents/apart');
});

test('such records that show up among those of another parent are a problem', async () => {
  expect(listDeviating(await judgeRooms(['leaks-bookings'], BOOKINGS))).toEqual(['bookings/parents/apart']);
});

test('what a list in an envelope is asked for counts as exercised, and so does a header field', async () => {
  const { coverage } = await judgeRooms([], ['rooms/lists/limit-at-bounds*', 'rooms/requests/replace-if-match']);
  const missing = coverage.missing.map(({ id }) => id);
  expect(missing).not.toContain('rooms_index is sent query/per_page = 50');
  expect(missing).not.toContain('rooms_replace is sent header/If-Match');
  expect(missing).toContain('rooms_index is sent query/kind = "lab"');
});
