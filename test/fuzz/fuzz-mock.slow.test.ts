import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../support/folder.js';
import { start } from '../support/started-program.js';
import { createDraws, FUZZ_ROUNDS, FUZZ_SEED } from './draws.js';
import { drawContract } from './draw-contract.js';
import { fuzzMock } from './fuzz-mock.js';

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 500);
const MEMORY = 128;

test.each(Array.from({ length: FUZZ_ROUNDS }, (_, round) => FUZZ_SEED * 1000 + round))(
  'a mock of the contract drawn by %d outlives whatever is sent, and keeps its contract',
  async (seed) => {
    process.stdout.write(`fuzzing the mock with seed ${seed}\n`);
    const draws = createDraws(seed);
    const contract = drawContract(draws);
    const file = join(makeFolder(), 'drawn.openapi.json');
    writeFileSync(file, JSON.stringify(contract.document));
    const running = await start(['--spec', file, '--no-prism', '--max-memory', String(MEMORY)]);
    const { code } = { code: () => running.process.exitCode };
    const program = {
      port: Number(new URL(running.url).port),
      pid: running.process.pid ?? 0,
      ended: () => (code() === null && running.process.signalCode === null ? undefined : `${code()} ${running.stderr}`),
    };
    const { faults, statuses } = await fuzzMock(program, { contract, requests: REQUESTS, memory: MEMORY }, draws);
    expect(faults).toEqual([]);
    const served = [...statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
    expect(served).toBeGreaterThan(REQUESTS / 10);
  },
);
