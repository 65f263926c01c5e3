import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { startPetstoreMock } from '../../../src/index.js';
import { eventually } from '../../support/eventually.js';
import { makeFolder } from '../../support/folder.js';
import { PROGRAM } from '../../support/run-program.js';

const HEADERS = { authorization: 'Bearer petstore-dev-key', 'content-type': 'application/json' };

/** The program with files that may not grow past 16 KiB or less, as on a disk that is full. */
async function startWithLittleRoom(folder: string): Promise<{ url: string; child: ChildProcess }> {
  const limited = 'ulimit -S -f 16 && exec "$0" "$@"';
  const args = [PROGRAM, '--port', '0', '--log', 'json', '--fixtures', 'empty', '--data', folder];
  const child = spawn('sh', ['-c', limited, process.execPath, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    const [, url] = /"url":"(http[^"]+)/.exec(text) ?? [];
    if (url !== undefined) {
      child.stdout.resume();
      return { url, child };
    }
  }
  throw new Error('the program did not start');
}

test('what cannot be written is refused and has not happened, what was written before is served, and with room all is well', async () => {
  const folder = makeFolder();
  const { url, child } = await startWithLittleRoom(folder);
  const statuses: number[] = [];
  let last: Response | undefined;
  while (!statuses.includes(507) && statuses.length < 1000) {
    // What is random cannot be compressed.
    const body = JSON.stringify({ name: randomBytes(500).toString('base64'), categoryId: 1 });
    last = await fetch(`${url}/pets`, { method: 'POST', headers: HEADERS, body });
    statuses.push(last.status);
  }
  expect(statuses.at(-1)).toBe(507);
  expect(await last?.json()).toMatchObject({
    status: 507,
    message: expect.stringContaining('cannot be written (File too large)'),
  });
  const admin = url.replace(/\/v1$/, '/__admin');
  const ready = await fetch(`${admin}/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    { message: expect.stringContaining('File too large') },
  ]);
  const created = statuses.filter((status) => status === 201).length;
  expect(await (await fetch(`${admin}/pets/count`)).json()).toEqual({ count: created });
  expect(await (await fetch(`${url}/pets?limit=1`, { headers: HEADERS })).json()).toMatchObject([{ id: created }]);
  expect((await fetch(`${admin}/health`)).status).toBe(200);
  execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']);
  await eventually(async () => expect((await fetch(`${admin}/ready`)).status).toBe(200));
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
  expect((await fetch(`${url}/pets`, { method: 'POST', headers: HEADERS, body })).status).toBe(201);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const again = await startPetstoreMock({ data: folder, fixtures: 'empty' });
  onTestFinished(() => again.close());
  expect(await again.pets.count()).toBe(created + 1);
});
