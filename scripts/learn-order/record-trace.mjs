// Which scenarios find each mutant, recorded once, and what each sends to a sound server.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { printJson } from '../../build/contract/document/json.js';
import { planRun } from '../../build/conformance/product/plan-run.js';
import { runConformance } from '../../build/conformance/product/run-conformance.js';
import { listPredecessors } from '../../build/conformance/language/select-scenarios.js';
import { bundleTests } from './bundle-corpus.mjs';
import { hashIds } from './hash-ids.mjs';

/** A mutant does not settle. */
const SETTLE_MS = 80;
/** So many servers at a time; most of a run against a mutant is waiting. */
const AT_ONCE = 4;

/**
 * Goes on with the recording in a file; what is there is not recorded again, unless the scenarios are others now. What a
 * scenario finds counts if it found it in earlier recordings too: in another order, others may have led the way.
 */
export async function recordTrace(file, earlier = []) {
  const corpus = await bundleTests('mutation/corpus.ts');
  const { mutantList, startMutationServer } = await import(corpus.file);
  corpus.remove();
  const known = readKnown(file);
  const planned = planRun({}).scenarios;
  const of = hashIds(planned.map((scenario) => printJson([scenario.id, scenario.steps])));
  const waiting = mutantList.filter(({ id }) => known.get(id) === undefined);
  const worker = async () => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const server = await startMutationServer({ mutants: [mutant.id] });
      const line = { id: mutant.id, of, found: await findScenarios(server, mutant) };
      await server.close();
      appendFileSync(file, `${JSON.stringify(line)}\n`);
      known.set(mutant.id, line);
      if (known.size % 20 === 0) console.log(`${known.size} of ${mutantList.length} mutants tried`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const stale = [...known.values()].filter((each) => each.of !== of).length;
  if (stale > 0) console.log(`${stale} mutants were tried with other scenarios: remove ${file} to try them again`);
  const ids = new Set(planned.map(({ id }) => id));
  const recordings = [known, ...earlier.map(readKnown)];
  const isFound = (mutant, scenario) =>
    recordings.every((each) => each.get(mutant)?.found.includes(scenario) !== false);
  const listFound = (mutant) => known.get(mutant).found.filter((each) => ids.has(each) && isFound(mutant, each));
  return {
    scenarios: await listScenarios(planned, startMutationServer),
    mutants: mutantList.map(({ id }) => ({ id, found: listFound(id) })),
  };
}

function readKnown(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return new Map(lines.map((line) => JSON.parse(line)).map((line) => [line.id, line]));
}

async function findScenarios(server, { reading }) {
  const { scenarios } = await runConformance({
    target: server.url,
    apiKey: server.apiKey,
    concurrency: 1,
    settleMs: SETTLE_MS,
    strict: reading === 'full-pages',
  });
  return scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id);
}

/** What each scenario sends to a sound server, and what comes before it. */
async function listScenarios(planned, startMutationServer) {
  const server = await startMutationServer();
  const { scenarios } = await runConformance({ target: server.url, apiKey: server.apiKey, concurrency: 1 });
  await server.close();
  const before = listPredecessors(planned);
  const sent = new Map(scenarios.map(({ id, steps }) => [id, steps.flatMap(({ exchanges }) => exchanges)]));
  return planned.map(({ id, fresh }) => ({
    id,
    before: before.get(id) ?? [],
    requests: (sent.get(id) ?? []).map((exchange, index) => describe(exchange, { own: `${id} ${index}`, fresh })),
  }));
}

/** What reads has the same name wherever it is sent, unless its scenario wants an answer of its own. */
function describe({ request, response }, { own, fresh }) {
  const { method, path, auth, headers } = request;
  if (method !== 'GET') return { name: own, writes: !(response?.status >= 400) };
  const told = createHash('sha256')
    .update(JSON.stringify([auth, headers]))
    .digest('hex');
  return { name: `${path} ${told} ${fresh ? own : ''}`, writes: false };
}
