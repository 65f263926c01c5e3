// What a request costs when it is twice as long: each line doubles the length and prints the ratio of the times, which
// is about 2 where the cost is in proportion and 4 where it grows with the square.
//   node bench/length.mjs [--longest 1000000] [--only uniqueItems]
import { parseArgs } from 'node:util';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPetstoreFetch } from '../dist/index.js';
import { listCases } from './length/cases.mjs';
import { describeApi } from './length/describe-api.mjs';

const { values } = parseArgs({
  options: { longest: { type: 'string', default: '1000000' }, only: { type: 'string', default: '' } },
});

const DOUBLINGS = 5;
const ROUNDS = 3;

const folder = mkdtempSync(join(tmpdir(), 'length-'));
const spec = join(folder, 'api.json');
writeFileSync(spec, JSON.stringify(describeApi()));
const petstore = createPetstoreFetch({ spec });
rmSync(folder, { recursive: true });

console.log('request | bytes | status | ms | ratio for each doubling');
for (const { name, write, longest = Infinity } of listCases().filter((each) => each.name.includes(values.only))) {
  console.log((await measureCase(name, write, Math.min(longest, Number(values.longest)))).join(' | '));
}

async function measureCase(name, write, longest) {
  const figures = [];
  let told = { status: 0, bytes: 0 };
  // The first one also compiles what it needs.
  await measure(write(100));
  for (let doubling = DOUBLINGS; doubling >= 0; doubling--) {
    const request = write(Math.floor(longest / 2 ** doubling));
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const one = await measure(request);
      rounds.push(one.ms);
      told = one;
      // What takes seconds shows in one round.
      if (one.ms > 2000) break;
    }
    figures.push(Math.min(...rounds));
  }
  const ratios = figures.slice(1).map((figure, index) => (figure / figures[index]).toFixed(1));
  return [name, String(told.bytes), String(told.status), figures.at(-1).toFixed(1), ratios.join(' ')];
}

async function measure({ path, method = 'POST', headers, body }) {
  const started = performance.now();
  const response = await petstore.fetch(`http://petstore.example${path}`, {
    method,
    headers: { Authorization: 'Bearer petstore-dev-key', 'Content-Type': 'application/json', ...headers },
    body,
  });
  await response.arrayBuffer();
  const bytes = path.length + (body?.length ?? 0) + JSON.stringify(headers ?? {}).length;
  return { ms: performance.now() - started, status: response.status, bytes };
}
