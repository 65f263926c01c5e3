import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runConformance } from '../../src/conformance/product/run-conformance.js';
import { inTurn } from '../../scripts/turns.mjs';
import { packageFile } from '../../src/package-files.js';
import { DEFAULT_API_KEY } from '../../src/server/options.js';
import { startPetstoreMock } from '../../src/server/start-petstore-mock.js';

/** The mock's own admin API is at the base path of these, `/__admin`. */
const ADMIN = /(?:admin|wiremock)\.openapi\.yaml$/;

/** Every other contract document of the repository: what ships, what its examples use, and what its tests describe services with. */
const DOCUMENTS = ['spec', 'examples', 'test'].flatMap((folder) =>
  readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.openapi\.(?:yaml|json)$/.test(path) && !path.includes('node_modules') && !ADMIN.test(path))
    .map((path) => join(folder, path)),
);

test('the documents are found', () => {
  expect(DOCUMENTS).toContain('spec/petstore.openapi.yaml');
  expect(DOCUMENTS.length).toBeGreaterThan(20);
});

test.each(inTurn(DOCUMENTS, 4))('the runner reports nothing of our own mock of %s', async (path) => {
  const spec = packageFile(path);
  const mock = await startPetstoreMock({ spec, prism: false });
  onTestFinished(() => mock.close());
  const { problems } = await runConformance({
    target: mock.url,
    apiKey: DEFAULT_API_KEY,
    spec,
    // PowerDNS asks for it in every path.
    ...(path.includes('powerdns') ? { parameter: ['server_id=localhost'] } : {}),
  });
  expect(problems.map(({ headline }) => headline)).toEqual([]);
});
