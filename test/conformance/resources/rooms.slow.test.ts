import { expect, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import { judgeRooms, listDeviating } from './support/judge-service.js';
import { ROOMS_MUTANTS, ROOMS_VARIANTS } from './support/rooms-changes.js';
import { expectProblem } from './support/expect-problem.js';

test.each(inTurn([[], ...ROOMS_VARIANTS.map((name) => [name])], 8))(
  'a service that books rooms (%s) has no problem',
  async (...changes) => {
    const { scenarios, problems } = await judgeRooms(changes.filter((each) => each !== undefined));
    expect(problems.map(({ headline }) => headline)).toEqual([]);
    expect(scenarios.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(150);
    const open = scenarios.filter(({ verdict }) => verdict === 'inconclusive');
    // Bookings are created only among those of a room, and need times that lie ahead.
    expect(open.filter(({ id }) => /^bookings\/(?:records|parents)\//.test(id))).toEqual([]);
  },
);

test.each(inTurn(Object.entries(ROOMS_MUTANTS), 8))(
  'a service that books rooms with %s is found out by a scenario about it',
  async (name, [about, headline]) => {
    const result = await judgeRooms([name]);
    expect(listDeviating(result).filter((id) => id.startsWith(about))).not.toEqual([]);
    expectProblem(result, headline);
  },
);
