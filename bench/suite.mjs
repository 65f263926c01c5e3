// How long the default conformance suite takes beside a bare loop that sends the same requests, process start included.
//   node bench/suite.mjs [--rounds 5] [--concurrency 1,8] [--latency 0,5,50]
import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '1,8' },
    latency: { type: 'string', default: '0,5,50' },
    replay: { type: 'string' },
    target: { type: 'string' },
  },
});
const KEY = 'petstore-dev-key';
const OF_CONNECTION = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'trailer',
  'host',
]);
const dist = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));

if (values.replay === undefined) await compare();
else await replay(values.replay, values.target, Number(values.concurrency));

async function compare() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-suite-'));
  const rows = [];
  for (const latency of values.latency.split(',').map(Number)) {
    for (const concurrency of values.concurrency.split(',').map(Number)) {
      rows.push(await measure(folder, latency, concurrency));
    }
  }
  console.log('latency  concurrency  requests  suite s  bare loop s  ratio');
  for (const { latency, concurrency, requests, suite, loop } of rows) {
    const cells = [
      `${latency} ms`,
      concurrency,
      requests,
      suite.toFixed(2),
      loop.toFixed(2),
      (suite / loop).toFixed(2),
    ];
    console.log(cells.map((cell, index) => String(cell).padEnd([9, 13, 10, 9, 13, 0][index])).join(''));
  }
}

/** Suite and loop take turns, each against a mock of its own, so that both see 50 pets at the start. */
async function measure(folder, latency, concurrency) {
  const times = { suite: [], loop: [] };
  let requests = 0;
  for (let round = 0; round < Number(values.rounds); round++) {
    await withMock(latency, async (target) => {
      const options = [
        '--target',
        target,
        '--concurrency',
        String(concurrency),
        '--report',
        'har',
        '--report-dir',
        folder,
      ];
      times.suite.push(await time([dist('cli/petstore-conformance.js'), ...options]));
      const exchanges = readExchanges(join(folder, 'conformance.har'), target);
      requests = exchanges.length;
      writeFileSync(join(folder, 'requests.json'), JSON.stringify(exchanges));
    });
    await withMock(latency, async (target) => {
      const options = [
        '--replay',
        join(folder, 'requests.json'),
        '--target',
        target,
        '--concurrency',
        String(concurrency),
      ];
      times.loop.push(await time([fileURLToPath(import.meta.url), ...options]));
    });
  }
  return { latency, concurrency, requests, suite: median(times.suite), loop: median(times.loop) };
}

function readExchanges(file, target) {
  const { log } = JSON.parse(readFileSync(file, 'utf8'));
  return log.entries.map(({ request }) => ({
    method: request.method,
    path: request.url.slice(target.length),
    headers: Object.fromEntries(request.headers.map(({ name, value }) => [name, value])),
    body: request.postData?.text,
  }));
}

/** What a script would do that only sends: the same methods, paths and bodies, nothing looked at. */
async function replay(file, target, concurrency) {
  const requests = JSON.parse(readFileSync(file, 'utf8'));
  let next = 0;
  const worker = async () => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      // What frames a message, or is about its connection, is fetch's own to write.
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => !OF_CONNECTION.has(name.toLowerCase())),
      );
      // HAR says in place of the key that it was valid.
      const authorization = headers.Authorization === '<valid>' ? { Authorization: `Bearer ${KEY}` } : {};
      const response = await fetch(`${target}${request.path}`, {
        method: request.method,
        headers: { ...headers, ...authorization, Connection: 'keep-alive' },
        ...(request.method === 'POST' ? { body: request.body ?? '' } : {}),
      });
      await response.text();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** A mock on a free port, behind a relay that holds every request back. */
async function withMock(latency, use) {
  const child = spawn(process.execPath, [dist('cli/petstore-mock.js'), '--port', '0', '--log', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve) => {
    child.stdout.once('data', (text) => resolve(JSON.parse(String(text).split('\n')[0]).url));
  });
  child.stdout.resume();
  const options = latency === 0 ? undefined : await startRelay(url, latency);
  try {
    await use(options?.url ?? url);
  } finally {
    options?.close();
    child.kill();
  }
}

async function startRelay(url, latency) {
  const { request } = await import('node:http');
  const target = new URL(url);
  const server = createServer((incoming, outgoing) => {
    setTimeout(() => {
      const { method, url: path, headers } = incoming;
      const onward = request({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(onward);
    }, latency);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${target.pathname}`,
    close: () => server.closeAllConnections() ?? server.close(),
  };
}

function time(command) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      command,
      { env: { ...process.env, PETSTORE_API_KEY: KEY } },
      (error, _stdout, stderr) => {
        if (error === null) resolve((performance.now() - started) / 1000);
        else reject(new Error(`${command.join(' ')}: ${stderr}`, { cause: error }));
      },
    );
  });
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
