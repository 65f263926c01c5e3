// How fast the mock answers and starts, side by side with what does less and with what one would pick instead.
//   node bench/run.mjs [--rounds 5] [--seconds 2] [--starts 9] [--load wrk|own] [--only mock,express]
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isInstalled, SERVERS } from './competitors.mjs';
import { hasWrk, measureLoad, send } from './load.mjs';
import { measureImport, median, printTable, start } from './processes.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    starts: { type: 'string', default: '9' },
    load: { type: 'string', default: hasWrk() ? 'wrk' : 'own' },
    only: { type: 'string' },
  },
});
const [rounds, seconds, starts] = [values.rounds, values.seconds, values.starts].map(Number);
const LOADS = Object.keys(SERVERS[0].loads);

const wanted = SERVERS.filter(
  ({ name }, index) =>
    index < 2 || values.only === undefined || values.only.split(',').some((part) => name.includes(part)),
);
const servers = wanted.filter(isInstalled).map((server) => Object.assign({ figures: new Map() }, server));
const missing = wanted.filter((server) => !isInstalled(server)).map(({ name }) => name);
const [node, express] = servers;

for (let round = 0; round < starts; round++) {
  for (const server of servers) {
    await measureStart(server);
    if (server.library !== undefined) note(server, 'import', measureImport(server.library));
  }
}
for (let round = 0; round < rounds; round++) for (const server of servers) await measureLoads(server);
const planted = await askPlanted();

print();

async function measureStart(server) {
  const running = await start(server.name, server.start ?? server.command, server.loads['list 20'][0]);
  note(server, 'start', running.startMs);
  await running.stop();
}

/** All loads in one process. Each server has one to itself, and they take turns. */
async function measureLoads(server) {
  const running = await start(server.name, server.command, server.loads['list 20'][0]);
  try {
    for (const load of LOADS) {
      // The first moments compile the code; they belong to the start, not to the load.
      await measureLoad(running.origin, server.loads[load], { seconds: seconds / 8, load: 'own' });
      note(server, load, await measureLoad(running.origin, server.loads[load], { seconds, load: values.load }));
    }
    note(server, 'memory', running.memory());
    const { method, path } = server.loads['list 20'][0];
    server.refusal = (await send(running.origin, { method, path: path.replace('=20', '=0') })).status;
  } finally {
    await running.stop();
  }
}

/** What the program makes of an answer of its own that breaks the contract. */
async function askPlanted() {
  const command = (port) => [fileURLToPath(new URL('servers/planted.mjs', import.meta.url)), port];
  const running = await start('planted', command, node.loads.get[0]);
  try {
    return await send(running.origin, node.loads['list 20'][0]);
  } finally {
    await running.stop();
  }
}

function note({ figures }, name, figure) {
  figures.set(name, [...(figures.get(name) ?? []), figure]);
}

function print() {
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  console.log(`node ${process.version}, ${cpus().length} cores, ${memory}, ${new Date().toISOString().slice(0, 10)}`);
  console.log(`medians of ${rounds} rounds of ${seconds} s (${values.load}) and of ${starts} starts`);
  console.log('loads in requests a second, with their ratio to bare node:http; start and import to bare Express 5\n');
  const head = ['', ...LOADS, 'memory MB', 'start ms', 'import ms', 'limit=0'];
  printTable([head, ...servers.map((server) => describe(server))]);
  console.log(
    `\nan answer that breaks the contract, planted in petstore-mock: ${planted.status}, ${reasonOf(planted)}`,
  );
  for (const name of missing) console.log(`${name} is not installed and was left out: npm ci --prefix bench`);
}

function describe(server) {
  return [
    server.name,
    ...LOADS.map((load) => compare(server, load, node)),
    median(server.figures.get('memory')).toFixed(0),
    compare(server, 'start', express),
    compare(server, 'import', express),
    String(server.refusal),
  ];
}

/** A median, and how it compares. */
function compare(server, figure, with_) {
  const [own, other] = [server, with_].map(({ figures }) => figures.get(figure));
  if (own === undefined || other === undefined) return '-';
  return `${median(own).toFixed(0)} (${(median(own) / median(other)).toFixed(2)})`;
}

function reasonOf({ text }) {
  return JSON.parse(text).message.split(';')[0];
}
