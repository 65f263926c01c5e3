// What it costs that data lasts, and that replicas share it; and how long who comes late takes to know everything.
//   node bench/lasting.mjs [--rounds 5] [--seconds 2] [--changes 100000] [--load wrk|own]
import { mkdtempSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SERVERS } from './competitors.mjs';
import { hasEngine, startEngine } from './engine.mjs';
import { hasWrk, measureLoad, send, sendMany } from './load.mjs';
import { pets } from './pets.mjs';
import { median, printTable, start } from './processes.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    changes: { type: 'string', default: '100000' },
    load: { type: 'string', default: hasWrk() ? 'wrk' : 'own' },
  },
});
const [rounds, seconds, changes] = [values.rounds, values.seconds, values.changes].map(Number);
const { command, loads } = SERVERS.find(({ validates }) => validates);
const LOADS = ['list 20', 'get', 'create', 'mix'];

const makeFolder = () => mkdtempSync(join(tmpdir(), 'petstore-bench-data-'));
/** `options` are those of every process of a round; `late` is who comes late: a new process, and one that stood still. */
const MODES = [
  { name: 'in memory', options: () => [], late: [] },
  { name: '--data', options: () => ['--data', makeFolder()], late: ['new'] },
  { name: '--shared, one replica', shares: true, late: ['new', 'back'] },
  { name: '--shared, three replicas', shares: true, replicas: 3 },
].map((mode) => Object.assign({ figures: new Map() }, mode));
const [memory] = MODES;

if (!hasEngine()) throw new Error('this bench needs redis-server; install it: apt-get install redis-server');
for (let round = 0; round < rounds; round++) for (const mode of MODES) await inRound(mode, measureLoads);
for (let round = 0; round < rounds; round++)
  for (const mode of MODES) if (mode.late !== undefined) await inRound(mode, measureLate);
print();

/** Measures a mode with an engine, a folder and processes of its own. The modes take turns. */
async function inRound(mode, measure) {
  const stopping = [];
  try {
    const engine = mode.shares ? await startEngine() : undefined;
    if (engine !== undefined) stopping.push(engine);
    const options = engine === undefined ? mode.options() : ['--shared', engine.url];
    await measure(mode, async (request) => {
      const mock = await start('petstore-mock', (port) => [...command(port), ...options], request);
      stopping.unshift(mock);
      return mock;
    });
  } finally {
    for (const each of stopping) await each.stop();
  }
}

async function measureLoads({ replicas = 1, figures }, startMock) {
  const origins = [];
  for (let count = 0; count < replicas; count++) origins.push((await startMock(loads.get[0])).origin);
  for (const load of LOADS) {
    // The first moments compile the code.
    await measureLoad(origins, loads[load], { seconds: seconds / 4, load: 'own' });
    note(figures, load, await measureLoad(origins, loads[load], { seconds, load: values.load }));
  }
}

/** A start before and after many changes, and a replica that stood still meanwhile. */
async function measureLate({ late, figures }, startMock) {
  const first = await startMock(loads.get[0]);
  // The first of the replicas waits for others that may know more; those that join do not.
  const other = late.includes('back') ? await startMock(loads.get[0]) : undefined;
  note(figures, 'start', (other ?? first).startMs);
  if (late.length === 0) return;
  if (other !== undefined) process.kill(other.pid, 'SIGSTOP');
  await sendMany(first.origin, loads.create[0], changes);
  const newest = { method: 'GET', path: `/v1/pets/${pets.length + changes}` };
  if (other !== undefined) {
    const continued = performance.now();
    process.kill(other.pid, 'SIGCONT');
    await expectPet(other, newest);
    note(figures, 'back', performance.now() - continued);
  } else await first.stop();
  const after = await startMock(newest);
  await expectPet(after, newest);
  note(figures, 'new', after.startMs);
}

async function expectPet({ origin }, newest) {
  const { status } = await send(origin, newest);
  if (status !== 200) throw new Error(`${newest.path} got ${status}: not all changes are there`);
}

function note(figures, name, figure) {
  figures.set(name, [...(figures.get(name) ?? []), figure]);
}

function print() {
  const size = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  console.log(`node ${process.version}, ${cpus().length} cores, ${size}, ${new Date().toISOString().slice(0, 10)}`);
  console.log(
    `medians of ${rounds} rounds of ${seconds} s (${values.load}); 32 clients, and the engine on the same cores`,
  );
  console.log(
    `loads in requests a second, with their ratio to the first line; starts and the way back in milliseconds\n`,
  );
  const head = ['', ...LOADS, 'start', `after ${changes} changes`, 'stood still meanwhile'];
  printTable([head, ...MODES.map((mode) => describe(mode))]);
}

function describe({ name, figures }) {
  const starts = [compare(figures, 'start'), compare(figures, 'new', 'start'), compare(figures, 'back', 'start')];
  return [name, ...LOADS.map((load) => compare(figures, load)), ...starts];
}

/** A median, and how it compares with that of memory mode. */
function compare(figures, name, with_ = name) {
  const own = figures.get(name);
  if (own === undefined) return '-';
  return `${median(own).toFixed(0)} (${(median(own) / median(memory.figures.get(with_))).toFixed(2)})`;
}
