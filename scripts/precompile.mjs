// Part of the build: reads and checks what ships once and for all, so that no start has to.
// Writes a module for each text to build/contract/document/precompiled/; see src/contract/document/precompiled.ts.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadScenarios } from '../build/conformance/scenarios/load-scenarios.js';
import { loadContract } from '../build/contract/contract.js';
import { PRECOMPILED_FOLDER } from '../build/contract/document/precompiled.js';
import { precompile } from '../build/contract/precompile.js';

const pathOf = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));
const CONTRACT = 'spec/petstore.openapi.yaml';
const SCENARIOS = ['scenarios', 'scenarios/cases', 'scenarios/contracts'].flatMap((folder) =>
  readdirSync(pathOf(folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`),
);

rmSync(PRECOMPILED_FOLDER, { recursive: true, force: true });
// With nothing precompiled, every check is made; a mistake in what ships ends the build.
loadScenarios([pathOf('scenarios')], loadContract(pathOf(CONTRACT)));

mkdirSync(PRECOMPILED_FOLDER);
for (const file of [CONTRACT, 'spec/gaps.yaml', ...SCENARIOS]) {
  const { name, code } = precompile({ file, text: readFileSync(pathOf(file), 'utf8'), isContract: file === CONTRACT });
  writeFileSync(PRECOMPILED_FOLDER + name, code);
}
