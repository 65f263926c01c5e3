import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { packageFile } from '../../../src/package-files.js';

const CONTRACT = 'spec/petstore.openapi.yaml';
const HEAVY = ['yaml', 'ajv', 'ajv-formats', '@faker-js/faker', 'express', 'commander'];

test.each([
  ['as it ships', '{}', []],
  ['with a document of the user', `{ spec: '${packageFile(CONTRACT)}' }`, []],
  ['with animals to generate', '{ count: 60 }', ['yaml', '@faker-js/faker']],
])('started %s, the library loads no package that it can do without', (_, options, expected) => {
  const script = `
    import { createRequire } from 'node:module';
    import { startPetstoreMock } from '${packageFile('dist/index.js')}';
    const mock = await startPetstoreMock(${options});
    await (await fetch(mock.url + '/pets?limit=0', { headers: { Authorization: 'Bearer petstore-dev-key' } })).text();
    console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));
    await mock.close();`;
  const files = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(HEAVY.filter((name) => files.includes(`/node_modules/${name}/`))).toEqual(expected);
});

test('the runner lists its scenarios without YAML and Ajv', () => {
  const script = `
    import { createRequire } from 'node:module';
    import { planRun } from '${packageFile('build/conformance/product/plan-run.js')}';
    planRun({});
    console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));`;
  const files = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(HEAVY.filter((name) => files.includes(`/node_modules/${name}/`))).toEqual([]);
});
