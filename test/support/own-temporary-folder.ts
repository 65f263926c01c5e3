import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run of the tests a temporary folder of its own, with all that they leave in it removed at the end. */
export function setup(): (() => void) | undefined {
  // Each project asks for it: the first one gets it for all.
  if (process.env['PETSTORE_TESTS_FOLDER']) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  Object.assign(process.env, { PETSTORE_TESTS_FOLDER: folder, TMPDIR: folder, TMP: folder, TEMP: folder });
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
