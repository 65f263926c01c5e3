import { spawn } from 'node:child_process';
import { sendRaw } from '../support/send.js';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '../support/free-port.js';
import { KEY, PROGRAM } from '../support/run-program.js';
import { createPet } from '../support/started-mock.js';
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

describe('the pretty log', () => {
  test('has one line an exchange, with who is at fault, why, and where the contract says so', async () => {
    const running = await start([]);
    await fetch(`${running.url}/pets?limit=2`, { headers: KEY });
    await createPet(running, '{"name":"x"}');
    await running.until(/createPet  client:.*\n/);
    const [first, second] = running.stdout.trimEnd().split('\n').slice(-2);
    expect(first).toMatch(/^\d\d:\d\d:\d\d {2}GET {3}\/v1\/pets\?limit=2 {2}200 {2}\d+\.\d ms {2}listPets$/);
    expect(second).toMatch(
      /POST {2}\/v1\/pets {2}400 {2}\d+\.\d ms {2}createPet {2}client: body\/categoryId is required \(spec\/petstore\.openapi\.yaml:\d+\)$/,
    );
  });

  test.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('has no colours in a pipe, unless FORCE_COLOR wants them: %j', async (env, isColoured) => {
    const running = await start([], { env });
    await fetch(`${running.url}/pets`);
    await running.until(/401.*listPets/);
    expect(running.stdout.includes('\u001B[33m401')).toBe(isColoured);
    expect(running.stdout.includes('\u001B')).toBe(isColoured);
  });

  test.each(['pretty', 'json'])('control characters of a client do not reach the terminal (%s)', async (log) => {
    const running = await start(['--log', log]);
    const target = '/v1/pets?limit=%1b%5B31m&%c2%9b%e2%80%ae%1b=1';
    const head = `Host: x\r\nAuthorization: ${KEY.authorization}\r\nConnection: close`;
    await sendRaw(
      Number(new URL(running.url).port),
      Buffer.from(`GET ${target} HTTP/1.1\r\n${head}\r\n\r\n`, 'latin1'),
    );
    await running.until(/400.*\n/);
    // oxlint-disable-next-line no-control-regex
    expect(running.stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
  });
});

describe.each(['pretty', 'json'])('a key of the user in the %s log', (log) => {
  test.each([
    ['in the query', '/v1/pets?api_key=Sesame%2FOpen-42'],
    ['in the query under any name', '/v1/pets?x=Sesame/Open-42&y=1'],
    ['as a path that there is not', '/v1/Sesame%2fOpen-42'],
    ['with escapes that need not be', '/v1/pets/%53esame%2FOpen%2D42'],
    ['as the value of a parameter', '/v1/pets?limit=Sesame/Open-42'],
  ])('is never printed, %s', async (_, target) => {
    const running = await start(['--log', log, '--api-key', 'Sesame/Open-42']);
    const headers = { authorization: 'Bearer Sesame/Open-42' };
    await fetch(new URL(target, running.url), { headers });
    await running.until(/\[redacted\]/);
    expect(decodeURIComponent(running.stdout)).not.toContain('Sesame');
  });

  test('another key in a parameter that is named like one is not printed either', async () => {
    const running = await start(['--log', log]);
    await fetch(`${running.url}/pets?access_token=of-production`);
    await running.until(/\[redacted\]/);
    expect(running.stdout).not.toContain('of-production');
  });
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
