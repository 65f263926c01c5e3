import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { KEY, PROGRAM, startProgram } from '../support/run-program.js';
import { createPet, JSON_TYPE } from '../support/started-mock.js';

const FLAG = '--disallow-code-generation-from-strings';
const RUNNER = fileURLToPath(new URL('../../dist/cli/petstore-conformance.js', import.meta.url));
const SPEC = fileURLToPath(new URL('../../examples/store-orders/petstore.openapi.yaml', import.meta.url));
const SENTENCE =
  'Node runs with --disallow-code-generation-from-strings. Under that flag petstore-mock can only serve the shipped contract';

test('the contract that ships is served where Node may make no code from text', async () => {
  const running = await startProgram(['--count', '5'], { env: { NODE_OPTIONS: FLAG } });
  const { origin } = new URL(running.url);
  const answers = [
    await fetch(`${running.url}/pets`, { headers: KEY }),
    await fetch(`${running.url}/pets?limit=0`, { headers: KEY }),
    await createPet(running),
    await fetch(`${origin}/nothing`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 201, 404]);
  const refused = await fetch(`${origin}/__admin/reset`, { method: 'POST', headers: JSON_TYPE, body: '{}' });
  expect(await refused.text()).toContain(SENTENCE);
  await running.stop();
});

test.each([
  ['--check', [PROGRAM, '--check']],
  ['--spec', [PROGRAM, '--spec', SPEC]],
  ['the runner', [RUNNER, '--target', 'http://127.0.0.1:1/v1']],
])('%s says in one sentence that it cannot', (_, args) => {
  const env = { ...process.env, PETSTORE_API_KEY: 'a-key' };
  const { status, stderr } = spawnSync(process.execPath, [FLAG, ...args], { encoding: 'utf8', env });
  expect(stderr).toContain(SENTENCE);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(status).toBe(2);
});
