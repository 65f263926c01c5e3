import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { eventually } from '../../../support/eventually.js';
import { findFreePort } from '../../../support/free-port.js';
import { makeFolder } from '../../../support/folder.js';

/** An engine of the test's own. */
export interface TestEngine {
  url: string;
  /** How the mock names it. */
  shown: string;
  port: number;
  folder: string;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Sends one command; the answer as text. */
  ask(...command: string[]): Promise<string>;
}

/** Starts Debian's redis-server. Throws what to install where there is none. */
export async function startEngine(...options: string[]): Promise<TestEngine> {
  if (spawnSync('redis-server', ['--version']).error !== undefined)
    throw new Error('these tests need redis-server; install it: apt-get install redis-server');
  const port = await findFreePort();
  const folder = makeFolder();
  let running: ChildProcess | undefined;
  const engine: TestEngine = {
    url: `redis://127.0.0.1:${port}/0`,
    shown: `redis at 127.0.0.1:${port}/0`,
    port,
    folder,
    async kill() {
      const ended = running;
      if (ended === undefined) return;
      running = undefined;
      await new Promise((resolve) => {
        ended.once('exit', resolve);
        ended.kill('SIGKILL');
      });
    },
    async start() {
      const given = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...options];
      running = spawn('redis-server', given, { stdio: 'ignore' });
      await eventually(async () => {
        if (!/^(\+PONG|-)/.test(await engine.ask('PING'))) throw new Error('the engine is not ready');
      });
    },
    signal: (name) => void running?.kill(name),
    ask: (...command) => ask(port, command),
  };
  onTestFinished(() => engine.kill());
  await engine.start();
  return engine;
}

function ask(port: number, command: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('close', () => reject(new Error('no answer')));
    socket.once('error', reject);
    socket.once('data', (bytes) => {
      resolve(bytes.toString());
      socket.destroy();
    });
    const parts = command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
    socket.write(`*${command.length}\r\n${parts.join('')}`);
  });
}
