import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './processes.mjs';

export function hasEngine() {
  return spawnSync('redis-server', ['--version']).error === undefined;
}

/** An engine that replicas share, empty, set up as in examples/container/shared. */
export async function startEngine() {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-engine-'));
  const options = { port, bind: '127.0.0.1', dir: folder, appendonly: 'yes', 'maxmemory-policy': 'noeviction' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await isReady(port))) await new Promise((resolve) => setTimeout(resolve, 10));
  if (child.exitCode !== null) throw new Error('redis-server did not start');
  return {
    url: `redis://127.0.0.1:${port}/0`,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function isReady(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('error', () => resolve(false));
    socket.once('data', (bytes) => {
      resolve(bytes.toString().startsWith('+PONG'));
      socket.destroy();
    });
  });
}
