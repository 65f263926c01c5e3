import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CONNECTIONS = 32;
const KEY = { Authorization: 'Bearer petstore-dev-key' };
const JSON_BODY = { 'Content-Type': 'application/json' };

export function hasWrk() {
  return spawnSync('wrk', ['--version']).error === undefined;
}

/**
 * Requests per second over some seconds, sending a list of requests in turn. The clients divide among several origins.
 * Throws for an answer that is not 2xx.
 */
export async function measureLoad(origins, requests, { seconds, load }) {
  const loadOne = load === 'wrk' ? loadWithWrk : loadWithLoop;
  const all = [origins].flat();
  const clients = all.map((_, index) => Math.floor((CONNECTIONS + index) / all.length));
  const rates = await Promise.all(all.map((origin, index) => loadOne(origin, requests, seconds, clients[index])));
  return rates.reduce((sum, rate) => sum + rate, 0);
}

/** Sends so many requests of one kind. */
export async function sendMany(origin, wanted, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let sent = 0;
  const loop = async () => {
    while (sent++ < count) {
      const { status } = await send(origin, wanted, agent);
      if (status >= 300) throw new Error(`${origin} answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  agent.destroy();
}

const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-wrk-'));

async function loadWithWrk(origin, requests, seconds, clients) {
  const script = join(folder, `${new URL(origin).port}.lua`);
  writeFileSync(script, writeScript(requests));
  const duration = `-d${Math.max(1, Math.round(seconds))}s`;
  const { stdout } = await promisify(execFile)('wrk', ['-t1', `-c${clients}`, duration, '-s', script, origin]);
  if (/Non-2xx/.test(stdout)) throw new Error(`${origin} did not answer with 2xx:\n${stdout}`);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)[1]);
}

/** wrk is told in Lua what to send. */
function writeScript(requests) {
  const table = (headers) =>
    `{${Object.entries(headers)
      .map(([name, value]) => `["${name}"]="${value}"`)
      .join(',')}}`;
  const lines = requests.map(({ method, path, body }) => {
    const headers = table(body === undefined ? KEY : { ...KEY, ...JSON_BODY });
    return `  wrk.format("${method}", "${path}", ${headers}, ${body === undefined ? 'nil' : `[[${body}]]`}),`;
  });
  return `local sent, at
function init() sent = {
${lines.join('\n')}
} at = 0 end
function request() at = at % #sent + 1 return sent[at] end
`;
}

async function loadWithLoop(origin, requests, seconds, clients) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const started = performance.now();
  const end = started + seconds * 1000;
  let count = 0;
  const loop = async () => {
    while (performance.now() < end) {
      const { status } = await send(origin, requests[count++ % requests.length], agent);
      if (status >= 300) throw new Error(`${origin} answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  agent.destroy();
  return (count * 1000) / (performance.now() - started);
}

/** Resolves with status and text once the whole answer is there. */
export function send(origin, { method, path, body }, agent) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? KEY : { ...KEY, ...JSON_BODY, 'Content-Length': Buffer.byteLength(body) };
    const sent = request(`${origin}${path}`, { method, agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    sent.on('error', reject).end(body);
  });
}
