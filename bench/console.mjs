// What a page of the console costs the mock: requests a second with none open, and with one that follows everything.
//   node bench/console.mjs [--rounds 7] [--seconds 2] [--load wrk|own]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hasWrk, measureLoad } from './load.mjs';
import { median, printTable, start } from './processes.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    load: { type: 'string', default: hasWrk() ? 'wrk' : 'own' },
  },
});
const program = fileURLToPath(new URL('../dist/cli/petstore-mock.js', import.meta.url));
const LIST = [{ method: 'GET', path: '/v1/pets' }];
const options = { seconds: Number(values.seconds), load: values.load };
const running = await start('mock', (port) => [program, '--port', port], LIST[0]);
const figures = { 'none yet': [], 'closed again': [], open: [] };

/** One round: requests a second, and the mock's own time for each in microseconds, which other work on the machine does not spoil. */
async function measure(page) {
  const before = readCpuMs();
  const rate = await measureLoad(running.origin, LIST, options);
  figures[page].push({ rate, cpu: (1000 * (readCpuMs() - before)) / (rate * options.seconds) });
}

/** Linux tells it in hundredths of a second. */
function readCpuMs() {
  const stat = readFileSync(`/proc/${running.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

try {
  await measureLoad(running.origin, LIST, { ...options, seconds: 4 * options.seconds });
  // Before anything of the console was loaded, then in turns.
  for (let round = 0; round < Number(values.rounds); round++) await measure('none yet');
  for (let round = 0; round < Number(values.rounds); round++) {
    const leave = await openFeed(running.origin);
    await measure('open');
    await leave();
    await measure('closed again');
  }
} finally {
  await running.stop();
}
const rows = Object.entries(figures).map(([page, all]) => [
  page,
  String(Math.round(median(all.map(({ rate }) => rate)))),
  median(all.map(({ cpu }) => cpu)).toFixed(1),
]);
printTable([['page', 'requests/s', 'µs of the mock'], ...rows]);

/** Reads what a page reads, in this process. */
async function openFeed(origin) {
  const leaving = new AbortController();
  const { body } = await fetch(`${origin}/__admin/console/feed`, { signal: leaving.signal });
  const reading = (async () => {
    for await (const _ of body);
  })().catch(() => {});
  return async () => {
    leaving.abort();
    await reading;
  };
}
