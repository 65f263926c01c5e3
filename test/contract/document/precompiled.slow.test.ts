import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { packageFile } from '../../../src/package-files.js';

const CONTRACT = 'spec/petstore.openapi.yaml';
const HEAVY = ['yaml', 'ajv', 'ajv-formats', '@faker-js/faker', 'express', 'commander'];

/** The heavy packages that a script has loaded when it has ended. */
function listLoaded(imports: string, body: string): string[] {
  const told = 'console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));';
  const script = `import { createRequire } from 'node:module';\n${imports}\n${body}\n${told}`;
  const files = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return HEAVY.filter((name) => files.includes(`/node_modules/${name}/`));
}

test.each([
  ['as it ships', '{}', []],
  ['with a document of the user', `{ spec: '${packageFile(CONTRACT)}' }`, []],
  ['with animals to generate', '{ count: 60 }', ['yaml', '@faker-js/faker']],
])('started %s, the library loads no package that it can do without', (_, options, expected) => {
  const start = `import { startPetstoreMock } from '${packageFile('dist/index.js')}';`;
  const ask = "fetch(mock.url + '/pets?limit=0', { headers: { Authorization: 'Bearer petstore-dev-key' } })";
  const body = `const mock = await startPetstoreMock(${options}); await (await ${ask}).text(); await mock.close();`;
  expect(listLoaded(start, body)).toEqual(expected);
});

test('the runner lists its scenarios without YAML and Ajv', () => {
  const plan = `import { planRun } from '${packageFile('build/conformance/product/plan-run.js')}';`;
  expect(listLoaded(plan, 'planRun({});')).toEqual([]);
});
