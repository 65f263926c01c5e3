// See README.md beside this file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fetchOnce, hasWrk, measureLoad } from './load.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    starts: { type: 'string', default: '9' },
    load: { type: 'string', default: hasWrk() ? 'wrk' : 'own' },
  },
});
const rounds = Number(values.rounds);
const starts = Number(values.starts);

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const program = file('../dist/cli/petstore-mock.js');
const SERVERS = {
  'bare node:http': (port) => [file('servers/bare-node.mjs'), port],
  'bare Express 5': (port) => [file('servers/bare-express.mjs'), port],
  'petstore-mock': (port) => [program, '--port', port],
  'petstore-mock --log silent': (port) => [program, '--port', port, '--log', 'silent'],
  'petstore-mock mounted in Express': (port) => [file('servers/mounted.mjs'), port],
};
const names = Object.keys(SERVERS);

const results = new Map(names.map((name) => [name, { load: [], start: [] }]));

for (let round = 0; round < starts; round++) {
  for (const name of names) results.get(name).start.push(await measureStart(name));
}
for (let round = 0; round < rounds; round++) {
  for (const name of names) results.get(name).load.push(await measureUnderLoad(name));
}
printTable();

async function measureStart(name) {
  const server = await start(name);
  await server.stop();
  return server.startMs;
}

async function measureUnderLoad(name) {
  const server = await start(name);
  try {
    // The first moments compile the code; they belong to the start, not to the load.
    await measureLoad(server.url, { seconds: Number(values.seconds) / 4, load: 'own' });
    return await measureLoad(server.url, { seconds: Number(values.seconds), load: values.load });
  } finally {
    await server.stop();
  }
}

/** Starts a server and waits for its first answer. */
async function start(name) {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/v1/pets`;
  const started = performance.now();
  const child = spawn(process.execPath, SERVERS[name](String(port)), { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  while (child.exitCode === null) {
    try {
      await fetchOnce(url);
      break;
    } catch (error) {
      if (error.code !== 'ECONNREFUSED') throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  if (child.exitCode !== null) throw new Error(`${name} did not start; was it built?`);
  const startMs = performance.now() - started;
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url, startMs, stop };
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function printTable() {
  const [node, express] = names.slice(0, 2).map((name) => medianOf(name));
  console.log(
    `node ${process.version}, ${cpus().length} cores, ${values.load}, medians of ${rounds} rounds and ${starts} starts\n`,
  );
  const head = ['list of 20', 'req/s', '× node', '× Express', 'start ms', '× node', '× Express'];
  const rows = names.map((name) => {
    const { load, start: startMs } = medianOf(name);
    const figures = [load / node.load, load / express.load, startMs / node.start, startMs / express.start];
    const [loadToNode, loadToExpress, startToNode, startToExpress] = figures.map((ratio) => ratio.toFixed(2));
    return [name, load.toFixed(0), loadToNode, loadToExpress, startMs.toFixed(0), startToNode, startToExpress];
  });
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  for (const row of [head, ...rows]) {
    const [name, ...figures] = row;
    console.log([name.padEnd(widths[0]), ...figures.map((text, index) => text.padStart(widths[index + 1]))].join('  '));
  }
}

function medianOf(name) {
  const { load, start: startMs } = results.get(name);
  return { load: median(load), start: median(startMs) };
}
