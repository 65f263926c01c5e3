import { expect, test } from 'vitest';
import { blockUnder, createProject } from '../../support/readme.js';
import { runShell } from '../../support/terminal.js';

const PAGE = 'docs/options.md';
test('the config file and the fixture pack can be used', async () => {
  const config = blockUnder(PAGE, 'Config file of the mock', 'yaml');
  const pack = blockUnder(PAGE, 'Fixture packs', 'yaml');
  const project = createProject({ 'mock.yaml': config, 'keys.txt': 'a-key', 'pets.yaml': pack });
  expect((await runShell('npx petstore-mock --config mock.yaml --check', project)).stdout).toContain('edge-cases');
  expect((await runShell(blockUnder(PAGE, 'Fixture packs', 'sh'), project)).stdout).toContain('21 pets');
});
