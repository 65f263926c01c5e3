// Files of one worker share their modules and their process: each leaves both as it found them. Vitest runs this for each file.
import { afterAll, beforeAll } from 'vitest';
import { listLeaks, readProcess } from './process-state.js';

let before: Record<string, unknown> = {};
beforeAll(() => void (before = readProcess()));
afterAll(() => {
  const leaks = listLeaks(before, readProcess());
  if (leaks.length > 0) throw new Error(`this file leaves behind: ${leaks.join(', ')}`);
});
