import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEY, startProgram, type Running } from '../support/run-program.js';

/** Run by `npm run test:soak`; it takes some minutes, and `SOAK_REQUESTS` makes it shorter. */
const REQUESTS = Number(process.env['SOAK_REQUESTS'] ?? 300_000);
const POINTS = 10;
const CONNECTIONS = 16;
const WORLDS = 30;

let running: Running & { url: string };
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
beforeAll(async () => {
  running = await startProgram(['--log', 'json', '--max-memory', '128', '--max-pets', '20000']);
});
afterAll(async () => {
  agent.destroy();
  await running.stop();
});

type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string };

const json = { ...KEY, 'content-type': 'application/json' };
const pet = (length: number): string => JSON.stringify({ name: 'a'.repeat(length), categoryId: 1 });

/** Valid, nearly valid and invalid requests, to many worlds; the number decides which. */
const KINDS: ((index: number) => Sent)[] = [
  () => ({ path: '/v1/pets?limit=20', headers: KEY }),
  (index) => ({ path: `/v1/pets/${index % 60}`, headers: { ...KEY, 'user-agent': `client-${index}` } }),
  (index) => ({ method: 'POST', path: '/v1/pets', headers: json, body: pet(index % 300) }),
  (index) => ({ path: `/worlds/w${index % WORLDS}/v1/pets?status=sold`, headers: KEY }),
  (index) => ({ method: 'POST', path: `/worlds/w${index % WORLDS}/v1/pets`, headers: json, body: pet(20_000) }),
  (index) => ({ method: 'POST', path: `/worlds/w${index % WORLDS}/v1/pets`, body: pet(60_000) }),
  () => ({ path: '/v1/pets?limit=0', headers: KEY }),
  () => ({ method: 'POST', path: '/v1/pets', headers: json, body: '{"name":1,"categoryId":"x"}' }),
  () => ({ method: 'POST', path: '/v1/pets', headers: json, body: `${'['.repeat(5000)}${']'.repeat(5000)}` }),
  (index) => ({ path: `/v1/${'x'.repeat(index % 900)}?${'a=1&'.repeat(index % 200)}`, headers: KEY }),
  () => ({ path: '/v1/pets', headers: { authorization: 'Bearer wrong' } }),
  (index) => ({ method: 'PUT', path: `/__admin/snapshots/s${index % 200}`, headers: json, body: '{}' }),
  (index) => ({ method: 'POST', path: `/__admin/faults?world=w${index % WORLDS}`, headers: json, body: FAULT }),
  (index) => ({ method: 'DELETE', path: `/__admin/worlds/w${index % WORLDS}`, headers: json }),
];
const FAULT = '{"effect":{"status":503},"operationId":"listPets","times":2}';

function send({ method = 'GET', path, headers = {}, body }: Sent): Promise<number> {
  const { hostname, port } = new URL(running.url);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { hostname, port, agent, method, path, headers: { ...headers, ...length } },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('error', reject).end(body);
  });
}

const RAW = [
  'GET /v1/pets HTTP/1.1\r\n\r\n',
  '\0\0\0',
  'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
  '',
];

/** Bytes that are no request, or half of one, on a connection that then goes away. */
function sendRaw(index: number): Promise<void> {
  const { hostname, port } = new URL(running.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(RAW[index % RAW.length] ?? ''));
    socket.on('error', () => {}).on('close', () => resolve());
    socket.resume().setTimeout(200, () => socket.destroy());
  });
}

async function pour(from: number, to: number, statuses: Set<number>): Promise<void> {
  let next = from;
  const work = async (): Promise<void> => {
    while (next < to) {
      const index = next++;
      if (index % 100 === 0) await sendRaw(index / 100);
      statuses.add(await send((KINDS[index % KINDS.length] as (typeof KINDS)[number])(index)));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

/** What the program holds of the machine's memory, in MiB. */
function residentMemory(): number {
  const status = readFileSync(`/proc/${running.process.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

test(
  `${REQUESTS} requests of every kind leave the mock as it was: answering, and no larger`,
  { timeout: 900_000 },
  async () => {
    const statuses = new Set<number>();
    const memory: number[] = [];
    for (let point = 0; point < POINTS; point++) {
      await pour((REQUESTS / POINTS) * point, (REQUESTS / POINTS) * (point + 1), statuses);
      memory.push(residentMemory());
    }
    process.stdout.write(`memory at ${POINTS} points, in MiB: ${memory.join(' ')}\n`);
    expect(await send({ path: '/v1/pets?limit=1', headers: KEY })).toBe(200);
    expect([...statuses].filter((status) => status >= 500 && status !== 507 && status !== 503)).toEqual([]);
    expect(Math.max(...memory)).toBeLessThan(450);
    const [early, late] = [memory.slice(3, 6), memory.slice(-3)].map((points) => Math.min(...points));
    expect(late).toBeLessThan((early ?? 0) * 1.25 + 20);
  },
);
