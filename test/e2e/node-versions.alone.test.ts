import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { inTurn } from '../../scripts/turns.mjs';
import { packageFile } from '../../src/package-files.js';

const SCRIPT = packageFile('scripts/test-versions.mjs');

// The oldest that `engines` allows, the newest of each line, and what is yet to become one: a turn each.
test.each(inTurn(['20.19', '20', '22', '24', '26'], 5))(
  'the quick tests of programs, library and server pass on Node %s',
  { timeout: 1_200_000 },
  async (version) => {
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, version], { maxBuffer: 1e8 });
    expect(stdout).toMatch(/passed {2}Node v\d+\.\d+\.\d+ /);
  },
);
