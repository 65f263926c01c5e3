import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { record } from '../../conformance/support/changes.js';
import { KEY } from '../../conformance/support/ask.js';
import { runRunner } from '../../conformance/support/runner-program.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { makeFolder } from '../../support/folder.js';
import type { Exchange } from '../server/behaviour.js';
import { startWith } from '../server/start-server.js';
import { inTurn, turn } from '../../../scripts/turns.mjs';
import { pickSpread } from '../matrix/sample.js';
import { mutantList, mutants, type MutantId } from '../mutants/index.js';

/** A command as somebody pastes it into a shell of theirs, with the key in its documented variable. */
function paste(command: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'] ?? '', PETSTORE_API_KEY: KEY };
  const shell = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    shell[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  return new Promise((resolve) => shell.on('close', (code) => resolve({ code, ...output })));
}

/** What a server decides by. */
function identify({ method, path, rawQuery, body, headers }: Exchange): string {
  const { authorization, 'content-type': type } = headers;
  return JSON.stringify([method, path, rawQuery, body.toString('latin1'), authorization, type]);
}

/** A mutant is run by the program; each command that is printed shows the same again. Returns how many curls there were, and whether the other showed it. */
async function judgePrinted(id: MutantId): Promise<{ curls: number; isShownAgain: boolean }> {
  const { needs, change } = mutants[id];
  const log: Exchange[] = [];
  // What refuses a request by itself passes it on to nothing before it in this list.
  const server = await startWith([...(needs === undefined ? [] : [needs]), change, record(log)], KEY);
  onTestFinished(() => server.close());
  const env = { PETSTORE_API_KEY: KEY };
  const folder = makeFolder();
  const args = ['--target', server.url, '--settle', '0.3', '--strict', '--verbose'];
  const told = await runRunner([...args, '--report', 'pretty,json', '--report-dir', folder], { env });
  expect(told.code).toBe(1);
  const sent = new Set(log.map(identify));
  const lines = told.stdout.split('\n').map((line) => line.trim());
  const curls = lines.filter((line) => line.startsWith('curl '));
  for (const curl of curls) {
    const before = log.length;
    await paste(curl);
    expect({ curl, sent: log.slice(before).map((each) => sent.has(identify(each))) }).toEqual({ curl, sent: [true] });
  }
  const again = lines.find((line) => line.startsWith('again'))?.replace(/^again +/, '') ?? '';
  const seen = await paste(`${again} --report json`);
  const found = readCauses(JSON.parse(seen.stdout) as RunResult);
  const before = readCauses(JSON.parse(readFileSync(join(folder, 'conformance.json'), 'utf8')) as RunResult);
  // What compares with a record of another scenario shows in a whole run alone, and the command says so.
  const isOpen = /Not reproduced in \d+ attempts?|nothing was concluded/.test(seen.stderr);
  expect({ again, code: seen.code, isSame: found.some((cause) => before.includes(cause)) }).toEqual(
    isOpen ? { again, code: seen.code === 2 ? 2 : 0, isSame: false } : { again, code: 1, isSame: true },
  );
  return { curls: curls.length, isShownAgain: !isOpen };
}

function readCauses({ problems }: RunResult): string[] {
  return problems.flatMap(({ cause: { check, rule }, headline }) => [`${check} ${rule}`, headline]);
}

const sample = inTurn(pickSpread(mutantList, 24), 8);
const judged: Awaited<ReturnType<typeof judgePrinted>>[] = [];

test.each(sample)('what is printed of $id shows it again when pasted, or says that it does not', async ({ id }) => {
  const shown = await judgePrinted(id as MutantId);
  judged.push(shown);
  expect(shown.curls).toBeGreaterThanOrEqual(0);
});

test('few need what a whole run has created before, and many show by one request', () => {
  // Of the three of a turn, one may.
  const [again, once] = turn === 'all' ? [0.8, 0.4] : [0.5, 0];
  expect(judged.filter(({ isShownAgain }) => isShownAgain).length).toBeGreaterThan(again * judged.length);
  expect(judged.filter(({ curls }) => curls > 0).length).toBeGreaterThan(once * judged.length);
});
