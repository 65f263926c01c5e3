// The fence around today's results: what the runner finds in every mutant and variant, and the shipped runner at the shipped
// mock for every contract document of the repository. A change that should lose nothing is compared with it.
//   npm run fence               records anew: test/fence/recording.json
//   npm run fence -- --compare  runs all again, prints what changed and in which direction; exit 1 if anything did
//   ... --only TEXT             only rows whose id has the text; the others stay as they were recorded
import { fork } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareRecordings } from './fence/compare.mjs';
import { listDocuments } from './fence/documents.mjs';
import { bundleTests } from './fence/bundle-tests.mjs';

const FILE = fileURLToPath(new URL('../test/fence/recording.json', import.meta.url));
const WORKER = fileURLToPath(new URL('./fence/worker.mjs', import.meta.url));

const { values } = parseArgs({ options: { compare: { type: 'boolean' }, only: { type: 'string' } } });
const corpus = await bundleTests('fence/corpus.ts');
const { rows } = await import(corpus.file);
const ids = [...rows.map(({ id }) => id), ...listDocuments().map((path) => `documents/${path}`)];
const recorded = await recordAll(ids.filter((id) => id.includes(values.only ?? '')));
corpus.remove();

const before = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
if (values.compare === true) {
  const chosen = Object.fromEntries(Object.entries(before).filter(([id]) => id.includes(values.only ?? '')));
  const changes = compareRecordings(chosen, recorded);
  console.log(changes.length === 0 ? 'nothing changed' : changes.join('\n'));
  process.exitCode = changes.length === 0 ? 0 : 1;
} else {
  const now = { ...before, ...recorded };
  // A new row that was not among those asked for is not recorded yet.
  writeFileSync(FILE, print(Object.fromEntries(ids.filter((id) => id in now).map((id) => [id, now[id]]))));
  console.log(`${Object.keys(recorded).length} rows recorded in test/fence/recording.json`);
}

/** Runs each row in one of some processes, four for a core, since services that settle are waited for; in the order of the rows. */
async function recordAll(waiting) {
  const left = [...waiting];
  const found = {};
  const work = () =>
    new Promise((resolve, reject) => {
      const worker = fork(WORKER, [corpus.file]);
      const next = () => (left.length === 0 ? worker.disconnect() : worker.send(left.shift()));
      worker.on('message', ({ id, result }) => {
        found[id] = result;
        const done = Object.keys(found).length;
        if (done % 50 === 0) console.log(`${done} of ${waiting.length} rows`);
        next();
      });
      worker.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`a worker of the fence ended with ${code}`)),
      );
      next();
    });
  await Promise.all(Array.from({ length: 4 * availableParallelism() }, work));
  return Object.fromEntries(waiting.map((id) => [id, found[id]]));
}

/** A line for each row, so that a difference can be read. */
function print(recording) {
  const lines = Object.entries(recording).map(([id, row]) => `  ${JSON.stringify(id)}: ${JSON.stringify(row)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
