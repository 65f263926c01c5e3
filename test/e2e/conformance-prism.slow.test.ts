import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runConformance } from '../../src/conformance/index.js';
import { packageFile } from '../../src/package-files.js';
import { eventually } from '../support/eventually.js';
import { findFreePort } from '../support/free-port.js';
import { isMissing } from '../support/optional-tool.js';

const PRISM = join(fileURLToPath(new URL('prism/', import.meta.url)), 'node_modules/.bin/prism');

const withoutPrism = isMissing({ found: existsSync(PRISM), name: 'Prism', howToGet: 'npm ci --prefix test/e2e/prism' });

test.skipIf(withoutPrism)('Prism, which keeps no state, is caught', async () => {
  const port = await findFreePort();
  const prism = spawn(process.execPath, [PRISM, 'mock', '-p', String(port), packageFile('spec/petstore.openapi.yaml')]);
  const target = `http://127.0.0.1:${port}`;
  try {
    await eventually(() => fetch(target));
    const only = ['pets/records/get', 'pets/refusals/credentials'];
    const result = await runConformance({ target, apiKey: 'any', only });
    const deviated = result.scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id);
    expect(deviated).toContain('pets/records/get');
    expect(deviated).toContain('pets/refusals/credentials[list-wrong]');
    const checks = result.scenarios
      .filter(({ id }) => id === 'pets/records/get')
      .flatMap(({ steps }) => steps.flatMap(({ exchanges }) => exchanges.flatMap(({ findings }) => findings)))
      .map(({ check }) => check);
    expect(checks).toContain('record');
  } finally {
    prism.kill();
    await once(prism, 'exit');
  }
});
