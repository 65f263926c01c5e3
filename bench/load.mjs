import { execFile, spawnSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { promisify } from 'node:util';

const CONNECTIONS = 32;
const HEADERS = { Authorization: 'Bearer petstore-dev-key' };

export function hasWrk() {
  return spawnSync('wrk', ['--version']).error === undefined;
}

/** Requests per second over some seconds. Throws when an answer is not 200. */
export function measureLoad(url, { seconds, load }) {
  return load === 'wrk' ? loadWithWrk(url, seconds) : loadWithLoop(url, seconds);
}

async function loadWithWrk(url, seconds) {
  const header = `Authorization: ${HEADERS.Authorization}`;
  const options = ['-t1', `-c${CONNECTIONS}`, `-d${Math.max(1, Math.round(seconds))}s`, '-H', header, url];
  const { stdout } = await promisify(execFile)('wrk', options);
  if (/Non-2xx/.test(stdout)) throw new Error(`${url} was not answered with 200:\n${stdout}`);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)[1]);
}

async function loadWithLoop(url, seconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const started = performance.now();
  const end = started + seconds * 1000;
  let count = 0;
  const loop = async () => {
    while (performance.now() < end) {
      await fetchOnce(url, agent);
      count++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  agent.destroy();
  return (count * 1000) / (performance.now() - started);
}

/** Resolves once the whole answer is there. */
export function fetchOnce(url, agent) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: HEADERS }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} was answered with ${response.statusCode}`));
      });
    });
    sent.on('error', reject).end();
  });
}
