import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../support/folder.js';
import { start } from '../support/started-program.js';
import { createDraws } from './draws.js';
import { drawContract } from './draw-contract.js';
import { fuzzMock } from './fuzz-mock.js';
import type { FuzzedProgram } from './target.js';

const PLANTED = fileURLToPath(new URL('planted.mjs', import.meta.url));
const SEED = 77;
const MEMORY = 128;

async function startPlanted(upstream: string, defect: string): Promise<FuzzedProgram> {
  const child = spawn(process.execPath, [PLANTED, upstream, defect], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    port: Number(line.toString()),
    pid: child.pid ?? 0,
    ended: () => (child.exitCode === null ? undefined : `exit ${child.exitCode}`),
  };
}

async function fuzz(defect: string): Promise<string[]> {
  const draws = createDraws(SEED);
  const contract = drawContract(draws);
  const file = join(makeFolder(), 'drawn.openapi.json');
  writeFileSync(file, JSON.stringify(contract.document));
  const { url } = await start(['--spec', file, '--no-prism']);
  const program = await startPlanted(new URL(url).origin, defect);
  return (await fuzzMock(program, { contract, requests: 200, memory: MEMORY }, draws)).faults;
}

test('a server without a defect is told to have none', async () => expect(await fuzz('none')).toEqual([]));

test.each([
  ['ends at CONNECT', 'the program ended: exit 7'],
  ['answers off its contract', 'does not fit its schema'],
  ['ends in 500', 'the status 500'],
  ['works too much', 'would be much'],
  ['holds what it was sent', 'the program holds'],
  ['loses a record', 'in place of'],
  ['shows an object of its own', 'an object of the mock’s own'],
  ['does not answer', 'no answer'],
])('a server that %s is found', async (defect, fault) => expect((await fuzz(defect)).join('\n')).toContain(fault));
