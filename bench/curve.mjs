// How many mutants a run has found after so many requests; draws docs/images/found-by-requests.svg and prints the figures.
//   node bench/curve.mjs [--trace FILE]      a mutant takes seconds; a recording in a file is gone on with
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runConformance } from '../build/conformance/product/run-conformance.js';
import { bundleTests } from '../scripts/fence/bundle-tests.mjs';
import { drawSvg } from './draw-curve.mjs';

const { values } = parseArgs({
  options: {
    trace: { type: 'string', default: join(tmpdir(), 'petstore-curve.jsonl') },
    'at-once': { type: 'string', default: '4' },
  },
});
/** Requests at which the curve is told. */
const TOLD = [18, 60, 100, 150, 300, 450];

const corpus = await bundleTests('mutation/corpus.ts');
const { mutantList, startMutationServer } = await import(corpus.file);
corpus.remove();
const known = new Map(readLines(values.trace).map((line) => [line.id, line]));
const waiting = mutantList.filter(({ id }) => !known.has(id));
await Promise.all(Array.from({ length: Number(values['at-once']) }, tryMutants));

const first = mutantList.map(({ id }) => known.get(id).first ?? Number.POSITIVE_INFINITY).toSorted((a, b) => a - b);
const share = (requests) => first.filter((each) => each <= requests).length / first.length;
for (const requests of TOLD)
  console.log(`${String(requests).padStart(4)} requests: ${(100 * share(requests)).toFixed(1)} %`);
const missed = mutantList.filter(({ id }) => known.get(id).named !== true).map(({ id }) => id);
console.log(`not found by the check that should find them: ${missed.length === 0 ? 'none' : missed.join(', ')}`);
const picture = fileURLToPath(new URL('../docs/images/found-by-requests.svg', import.meta.url));
writeFileSync(picture, drawSvg(share, { mutants: first.length, told: TOLD }));

async function tryMutants() {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const line = await tryMutant(mutant);
    appendFileSync(values.trace, `${JSON.stringify(line)}\n`);
    known.set(mutant.id, line);
  }
}

/** After how many requests a first deviation is known, and whether a check that should find the mutant does. */
async function tryMutant({ id, foundBy, reading }) {
  const server = await startMutationServer({ mutants: [id] });
  const stop = new AbortController();
  const line = { id };
  const onEvent = (event) => {
    if (event.type !== 'scenarioFinished' || event.result.verdict !== 'deviated') return;
    line.first ??= server.requests;
    const exchanges = event.result.steps.flatMap((step) => step.exchanges);
    const checks = exchanges.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'deviation'));
    if (!checks.some(({ check }) => foundBy.includes(check))) return;
    line.named = true;
    stop.abort();
  };
  const strict = reading === 'full-pages';
  const options = { target: server.url, apiKey: server.apiKey, concurrency: 1, settleMs: 500, strict };
  await runConformance({ ...options, signal: stop.signal, onEvent });
  await server.close();
  return line;
}

function readLines(file) {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
}
