import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import packageJson from '../../package.json' with { type: 'json' };

// npx makes the programs of a clone executable once for a path, not again when they are built anew.
test.each(Object.values(packageJson.bin))('the build makes %s executable', (program) => {
  expect(statSync(packageFile(program)).mode & 0o111).toBe(0o111);
});
