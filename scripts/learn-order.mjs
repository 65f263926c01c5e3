// Learns in which order the shipped scenarios find most with the fewest requests, from the mutants of test/mutation.
//   npm run learn-order                  records what every scenario finds (a quarter of an hour), then learns
//   npm run learn-order -- --trace FILE  goes on with a recording, or learns from a complete one
//   ... --trace FIRST --trace SECOND     records the second, and learns from what both show
// CONTRIBUTING.md says what it means.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawCurve, findHeldOut, learnOrder } from './learn-order/cover.mjs';
import { hashIds } from './learn-order/hash-ids.mjs';
import { recordTrace } from './learn-order/record-trace.mjs';

const ORDER_FILE = fileURLToPath(new URL('../scenarios/order.generated.json', import.meta.url));
/** Requests at which a curve is told. */
const TOLD = [18, 60, 100, 150, 300, 500];

const { values } = parseArgs({ options: { trace: { type: 'string', multiple: true } } });
const files = values.trace ?? [join(tmpdir(), 'petstore-order-trace.jsonl')];
const trace = await recordTrace(files.at(-1), files.slice(0, -1));

const learned = learnOrder(trace.scenarios, trace.mutants);
const hashes = {
  scenarios: hashIds(trace.scenarios.map(({ id }) => id)),
  mutants: hashIds(trace.mutants.map(({ id }) => id)),
};
writeFileSync(ORDER_FILE, printOrder({ learnedFrom: hashes, ...learned }));

const told = (curve) => TOLD.map((requests) => `${requests}: ${Math.round(100 * curve(requests))} %`).join(' · ');
console.log(`found by requests           ${told(drawCurve(learned.order, trace.mutants))}`);
console.log(`of mutants not learned from ${told(findHeldOut(trace.scenarios, trace.mutants))}`);

/** A line for each scenario, so that a difference can be read. */
function printOrder({ learnedFrom, finding, order }) {
  const lines = order.map((entry) => `    ${JSON.stringify(entry)}`);
  const head = [`  "learnedFrom": ${JSON.stringify(learnedFrom)}`, `  "finding": ${finding}`];
  return `{\n${head.join(',\n')},\n  "order": [\n${lines.join(',\n')}\n  ]\n}\n`;
}
