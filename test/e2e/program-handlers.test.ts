import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadHandlers } from '../../src/cli/mock/settings.js';
import { createPetstoreFetch } from '../../src/index.js';
import { blockUnder } from '../support/readme.js';
import { KEY, Running } from '../support/run-program.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-handlers-'));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('the program answers with handlers of a file, and follows it', async () => {
  const path = write('pets.mjs', "export const getPet = (call) => call.refuse(404, 'not here');");
  const mock = new Running(['--handlers', path, '--port', '0', '--watch']);
  const [, url = ''] = await mock.until(/url +(http\S+)/);
  expect(mock.stdout).toMatch(/getPet +your handler, deprecated/);
  const ask = async (): Promise<unknown> => (await fetch(`${url}/pets/1`, { headers: KEY })).json();
  expect(await ask()).toMatchObject({ message: 'not here' });
  write('pets.mjs', "export const getPet = (call) => call.refuse(404, 'not there');");
  await mock.until(/changed and is loaded/, 'stderr');
  expect(await ask()).toMatchObject({ message: 'not there' });
  mock.process.kill();
  await mock.exited;
});

test('the handlers of the page answer', async () => {
  const path = write('handlers.mjs', blockUnder('docs/own-contract.md', 'Your own handlers', 'js'));
  const spec = 'examples/store-orders/petstore.openapi.yaml';
  const mock = createPetstoreFetch({ spec, prism: false, handlers: await loadHandlers(path) });
  const headers = { ...KEY, 'content-type': 'application/json' };
  const inventory = await (await mock.fetch('/v1/store/inventory', { headers })).json();
  expect(inventory).toEqual({ available: (await mock.pets.list({ status: 'available' })).length });
  const order = async (petId: number): Promise<unknown> =>
    (
      await mock.fetch('/v1/store/orders', { method: 'POST', headers, body: JSON.stringify({ petId, quantity: 2 }) })
    ).json();
  expect(await order(7)).toMatchObject({ petId: 7, quantity: 2, status: 'approved' });
  expect(await order(999)).toMatchObject({ message: 'there is no pet 999' });
  await mock.assertNoViolations({ allow: { status: 422 } });
});

// Only Node itself says what Node cannot load.
test.each([
  ['other.py', 'def get_pet(): pass', /other\.py: Node [\d.]+ runs no file of this kind; name it \.mjs/],
  ['missing.mjs', 'import "./nothing.mjs";', /missing\.mjs: the module cannot be loaded: Cannot find module/],
  ['syntax.mjs', 'export const a = 1;\nexport const = 2;', /syntax\.mjs:2: the module cannot be loaded: Unexpected/],
])('%s is refused with what to do, and without a stack', async (name, text, message) => {
  const { code, stderr } = await new Running(['--handlers', write(name, text), '--check']).exited;
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
