import { onTestFinished } from 'vitest';
import { startProgram, type Running, type RunOptions } from './run-program.js';

/** Stops a program after the test. */
export function stopLater(running: Running): void {
  onTestFinished(async () => void (await running.stop()));
}

/** Starts the program as {@link startProgram} does, and stops it after the test. */
export async function start(args: readonly string[] = [], options?: RunOptions): Promise<Running & { url: string }> {
  const running = await startProgram(args, options);
  stopLater(running);
  return running;
}
