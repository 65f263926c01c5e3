// What more pets and more requests cost.
//   node bench/growth.mjs [--rounds 5] [--seconds 2] [--sizes 100,10000,1000000] [--requests 1000000] [--load wrk|own]
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hasWrk, measureLoad } from './load.mjs';
import { median, printTable, start } from './processes.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    sizes: { type: 'string', default: '100,10000,1000000' },
    requests: { type: 'string', default: '1000000' },
    load: { type: 'string', default: hasWrk() ? 'wrk' : 'own' },
  },
});
const seconds = Number(values.seconds);
const GET = (path) => ({ method: 'GET', path });
const LOADS = {
  list: [GET('/v1/pets')],
  filter: [GET('/v1/pets?status=sold')],
  get: [GET('/v1/pets/7')],
  create: [{ method: 'POST', path: '/v1/pets', body: '{"name":"Rex","categoryId":3}' }],
};
const file = (name) => fileURLToPath(new URL(name, import.meta.url));

await measureSizes();
await measureRequests();

/** Mocks of several sizes, in turns. */
async function measureSizes() {
  const mocks = [];
  for (const size of values.sizes.split(',')) {
    const running = await start(size, (port) => [file('servers/filled.mjs'), port, size], LOADS.get[0]);
    mocks.push({ size, running, figures: {} });
  }
  try {
    // The last pet is in when the mock answers again.
    for (const { running } of mocks) await measureLoad(running.origin, LOADS.list, { seconds: 0.1, load: 'own' });
    for (const mock of mocks) mock.memory = mock.running.memory();
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [name, requests] of Object.entries(LOADS)) {
        for (const mock of mocks) await measureOne(mock, name, requests);
      }
    }
  } finally {
    for (const { running } of mocks) await running.stop();
  }
  console.log('pets: requests a second, with their ratio to the first line\n');
  printTable([['pets', ...Object.keys(LOADS), 'memory MB'], ...mocks.map((mock) => describe(mock, mocks[0]))]);
}

async function measureOne({ running, figures }, name, requests) {
  await measureLoad(running.origin, requests, { seconds: seconds / 8, load: 'own' });
  const figure = await measureLoad(running.origin, requests, { seconds, load: values.load });
  figures[name] = [...(figures[name] ?? []), figure];
}

function describe({ size, figures, memory }, first) {
  const cells = Object.keys(LOADS).map((name) => {
    const figure = median(figures[name]);
    return `${figure.toFixed(0)} (${(figure / median(first.figures[name])).toFixed(2)})`;
  });
  return [size, ...cells, memory.toFixed(0)];
}

/** The program's memory while it answers, with its settings as shipped. */
async function measureRequests() {
  const program = file('../dist/cli/petstore-mock.js');
  const running = await start('petstore-mock', (port) => [program, '--port', port], LOADS.get[0]);
  const total = Number(values.requests);
  const rows = [
    ['requests', 'memory MB'],
    ['0', running.memory().toFixed(0)],
  ];
  const reads = [LOADS.list[0], LOADS.filter[0], LOADS.get[0]];
  try {
    for (let sent = 0, quarter = 1; sent < total;) {
      sent += seconds * (await measureLoad(running.origin, reads, { seconds, load: values.load }));
      if (sent < (total * quarter) / 4) continue;
      quarter = Math.floor((4 * sent) / total) + 1;
      rows.push([sent.toFixed(0), running.memory().toFixed(0)]);
    }
  } finally {
    await running.stop();
  }
  console.log('\nthe program as shipped: memory after so many requests\n');
  printTable(rows);
}
