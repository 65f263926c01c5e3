import { afterEach } from 'vitest';
import { startProgram, type Running, type RunOptions } from './run-program.js';

const started: Running[] = [];

afterEach(async () => {
  for (const running of started.splice(0)) await running.stop();
});

/** Stops a program after the test. */
export function stopLater(running: Running): void {
  started.push(running);
}

/** Starts the program as {@link startProgram} does, and stops it after the test. */
export async function start(args: readonly string[] = [], options?: RunOptions): Promise<Running & { url: string }> {
  const running = await startProgram(args, options);
  stopLater(running);
  return running;
}
