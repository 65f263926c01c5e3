import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createProject } from '../support/readme.js';
import { cleanEnvironment } from '../support/tarball.js';

const run = promisify(execFile);

/** A day: far beyond the time that the test has. */
const SLOW = { delay: 86_400_000 };

test.each([
  ['a slow petstore on a port', 'startPetstoreMock', { delay: SLOW.delay }],
  ['a slow answer before the operation', 'startPetstoreMock', { faults: [{ effect: SLOW }] }],
  ['a slow answer after the operation', 'startPetstoreMock', { faults: [{ at: 'after', effect: SLOW }] }],
  ['a slow petstore without a port', 'createPetstoreFetch', { delay: SLOW.delay }],
  ['a slow answer after it, without a port', 'createPetstoreFetch', { faults: [{ at: 'after', effect: SLOW }] }],
])('%s does not keep a process that has given up waiting', async (_, make, options) => {
  const script = `
    import * as library from 'petstore-mock';
    const petstore = await library.${make}(${JSON.stringify(options)});
    const ask = petstore.fetch ?? fetch;
    const init = { headers: { Authorization: 'Bearer petstore-dev-key' }, signal: AbortSignal.timeout(300) };
    await ask(petstore.url + '/pets', init).catch((error) => console.log(error.name));
    await petstore.close();`;
  const project = createProject({ 'example.js': script });
  const { stdout } = await run(process.execPath, ['example.js'], { cwd: project, env: cleanEnvironment() });
  expect(stdout).toBe('TimeoutError\n');
});
