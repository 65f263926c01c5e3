import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { findFreePort } from '../support/free-port.js';
import { KEY, PROGRAM } from '../support/run-program.js';
import { start } from '../support/started-program.js';

test('the JSON log begins with a ready event and has one event an exchange', async () => {
  const running = await start(['--log', 'json']);
  await fetch(`${running.url}/pets?limit=0`, { headers: KEY });
  await running.until(/"event":"exchange".*\n/);
  const [ready, exchange] = running.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  const { url } = running;
  const began = {
    event: 'ready',
    url,
    adminUrl: url.replace('/v1', '/__admin'),
    pets: 50,
    fixtures: 'default',
    seed: 1,
  };
  expect(ready).toMatchObject(began);
  const asked = { event: 'exchange', method: 'GET', url: '/v1/pets?limit=0', status: 400, operationId: 'listPets' };
  const reason = 'query/limit must be at least 1, but is 0';
  expect(exchange).toMatchObject({ ...asked, atFault: 'client', reason });
});

test('of many exchanges at once none is missing from the log, though the program is stopped', async () => {
  const running = await start(['--log', 'json']);
  const names = Array.from({ length: 200 }, (_, index) => `${running.url}/pets?n=${index}`);
  await Promise.all(names.map(async (url) => (await fetch(url, { headers: KEY })).text()));
  const { stdout } = await running.stop();
  const logged = [...stdout.matchAll(/"url":"\/v1\/pets\?n=(\d+)"/g)].map(([, index]) => Number(index));
  expect(logged.sort((a, b) => a - b)).toEqual([...names.keys()]);
});

test('who stops reading the log does not stop the mock', async () => {
  const port = await findFreePort();
  const command = `"$0" "$1" --port ${port} --log json & echo $! >&2; wait`;
  const shell = spawn('sh', ['-c', command, process.execPath, PROGRAM], { stdio: ['ignore', 'pipe', 'pipe'] });
  let pid = '';
  let errors = '';
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (pid === '' ? (pid = text.trim()) : (errors += text)));
  await new Promise((resolve) => shell.stdout.once('data', resolve));
  shell.stdout.destroy();
  try {
    const statuses = [];
    for (let asked = 0; asked < 3; asked++) {
      statuses.push((await fetch(`http://127.0.0.1:${port}/v1/pets`, { headers: KEY })).status);
    }
    expect(statuses).toEqual([200, 200, 200]);
    expect(errors).toBe('');
  } finally {
    process.kill(Number(pid));
  }
});
