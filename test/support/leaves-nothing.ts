// Files of one worker share their modules and their process: each leaves both as it found them. Vitest runs this for each file.
import { afterAll, beforeAll, expect } from 'vitest';
import { listLeaks, readProcess } from './process-state.js';

let before: Record<string, unknown> = {};
beforeAll(() => void (before = readProcess()));
afterAll(() => expect(listLeaks(before, readProcess()), 'what this file leaves behind').toEqual([]));
