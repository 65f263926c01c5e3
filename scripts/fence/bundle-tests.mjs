// Servers of the tests, as JavaScript that a script can import.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const TESTS = fileURLToPath(new URL('../../test/', import.meta.url));

/** Bundles a module of `test/`; the file is there until `remove` is called. */
export async function bundleTests(path) {
  const bundle = await rolldown({ input: join(TESTS, path), platform: 'node' });
  const file = fileURLToPath(new URL(`../../build/tests-${process.pid}.mjs`, import.meta.url));
  await bundle.write({ file });
  return { file, remove: () => rmSync(file) };
}
