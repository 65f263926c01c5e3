// A process of the fence: runs the rows that it is sent, one after the other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runConformance } from '../../build/conformance/product/run-conformance.js';
import { judgeResult } from '../../build/cli/conformance/judge-result.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const KEY = 'petstore-dev-key';
/** The default of --min-concluded. */
const DEMANDS = { minConcluded: 90 };

const { rows } = await import(process.argv[2]);
const known = new Map(rows.map((row) => [row.id, row]));

process.on('message', async (id) => {
  const row = known.get(id);
  const result = row === undefined ? await runPrograms(id.slice('documents/'.length)) : await runRow(row);
  process.send({ id, result });
});

/** One scenario at a time, so that the same is asked in the same order. */
async function runRow({ start, options = {} }) {
  const server = await start();
  try {
    const given = { target: server.url, apiKey: server.apiKey, concurrency: 1, ...options };
    const result = await runConformance(given);
    return summarize(result, judgeResult(result, DEMANDS).code);
  } finally {
    await server.close();
  }
}

/** The shipped mock of a document, and the shipped runner at it. */
async function runPrograms(path) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-fence-'));
  const mock = spawnProgram('petstore-mock', ['--spec', path, '--port', '0', '--no-prism']);
  try {
    const url = await readUrl(mock);
    const parameter = path.includes('powerdns') ? ['--parameter', 'server_id=localhost'] : [];
    const args = ['--spec', path, '--target', url, '--report', 'json', '--report-dir', folder, ...parameter];
    const runner = spawnProgram('petstore-conformance', args);
    const [code] = await once(runner, 'close');
    const report = join(folder, 'conformance.json');
    if (existsSync(report)) return summarize(JSON.parse(readFileSync(report, 'utf8')), code);
    return { exit: code, problems: [], verdicts: {}, requests: 0 };
  } finally {
    mock.kill();
    rmSync(folder, { recursive: true });
  }
}

function spawnProgram(name, args) {
  const env = { ...process.env, PETSTORE_API_KEY: KEY };
  const program = spawn(process.execPath, [`${ROOT}dist/cli/${name}.js`, ...args], { cwd: ROOT, env, stdio: 'pipe' });
  program.stderr.resume();
  if (name === 'petstore-conformance') program.stdout.resume();
  return program;
}

async function readUrl(mock) {
  let said = '';
  for await (const chunk of mock.stdout) {
    said += chunk;
    const [url] = /http:\/\/127\.0\.0\.1:\d+[^\s]*/.exec(said) ?? [];
    if (url !== undefined) {
      mock.stdout.resume();
      return url;
    }
  }
  throw new Error(`the mock does not say where it listens: ${said}`);
}

/** What is compared. A fingerprint is the check with its rule, what it is about and where; a headline may be reworded. */
function summarize({ summary, problems }, exit) {
  const { passed, deviated, observed, inconclusive, skipped, requests } = summary;
  return {
    exit,
    problems: problems.map(({ id, headline, cause }) => ({ id, headline, cause })),
    verdicts: { passed, deviated, observed, inconclusive, skipped },
    requests,
  };
}
