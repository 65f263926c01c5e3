import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { HOME } from './competitors.mjs';
import { send } from './load.mjs';

/** Starts a server and waits for its first answer. `command` gives node's arguments for a port. */
export async function start(name, command, firstRequest) {
  const port = String(await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  const args = command(port);
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, HOME },
  });
  const ended = once(child, 'exit');
  while (child.exitCode === null) {
    try {
      await send(origin, firstRequest);
      break;
    } catch (error) {
      if (!['ECONNREFUSED', 'ECONNRESET'].includes(error.code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  if (child.exitCode !== null) throw new Error(`${name} did not start; was it built?`);
  return {
    origin,
    startMs: performance.now() - started,
    /** Resident memory, in megabytes. */
    memory: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    pid: child.pid,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** How long a module takes to load in a process of its own, in milliseconds. */
export function measureImport(library) {
  const script = `const t = performance.now(); await import(${JSON.stringify(library)}); console.log(performance.now() - t)`;
  const run = ['--input-type=module', '--eval', script];
  return Number(
    execFileSync(process.execPath, run, { encoding: 'utf8', cwd: import.meta.dirname })
      .trim()
      .split('\n')
      .at(-1),
  );
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Rows of texts, aligned; the first column to the left. */
export function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const [first, ...others] of rows) {
    const cells = others.map((text, index) => text.padStart(widths[index + 1]));
    console.log([first.padEnd(widths[0]), ...cells].join('  '));
  }
}
