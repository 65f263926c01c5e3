import { expect, test } from 'vitest';
import { loadHooks, readConformanceSettings } from '../../../src/cli/conformance/settings.js';
import { describeThings, reject, serveThings, wantBearer } from '../../conformance/support/guarded-things.js';
import { runRunner } from '../../conformance/support/runner-program.js';
import { makeFolder } from '../../support/folder.js';
import { blockUnder } from '../../support/readme.js';

const PAGE = 'docs/conformance.md';
const HEADING = 'Credentials that a run gets itself';

/** Runs the program with the config of the page against a service that lets Ann in. */
async function runWithLogin(uses: number, config: string) {
  let used = 0;
  const things = await serveThings(
    ({ path, json }) => {
      if (path !== '/login') return undefined;
      used = 0;
      const isAnn = json?.['user'] === 'ann' && json['password'] === 'pass-word-of-ann';
      return isAnn ? { status: 200, body: { access_token: 'token-4f81c06e7a9d', expires_in: 300 } } : reject();
    },
    wantBearer((token) => token === 'token-4f81c06e7a9d' && ++used <= uses),
  );
  const folder = makeFolder({ 'petstore-conformance.yaml': config });
  const args = ['--target', things.url, '--spec', describeThings(), '--only', 'things/records/*', '--verbose'];
  const env = { PASSWORD: 'pass-word-of-ann' };
  return { things, end: await runRunner(args, { cwd: folder, env }) };
}

test('the config of the page logs in and renews, in four lines at most, and nothing printed has a secret', async () => {
  const config = blockUnder(PAGE, HEADING, 'yaml');
  expect(config.trim().split('\n').length).toBeLessThan(5);
  const { things, end } = await runWithLogin(40, config);
  expect(end).toMatchObject({ code: 0 });
  expect(things.count('POST', '/login')).toBeGreaterThan(1);
  expect(`${end.stdout}${end.stderr}`).not.toMatch(/token-4f81c06e7a9d|pass-word-of-ann/);
});

test('what the page expects of a target is read, and its hooks are some', async () => {
  const heading = 'What is expected of a target';
  const folder = makeFolder({
    'c.yaml': `target: http://127.0.0.1:9\n${blockUnder(PAGE, heading, 'yaml')}`,
    'hooks.mjs': blockUnder(PAGE, heading, 'js'),
  });
  expect(readConformanceSettings(['--config', `${folder}/c.yaml`], {}, '1.0.0').options.expect).toHaveLength(3);
  expect(Object.keys((await loadHooks(`${folder}/hooks.mjs`)) ?? {}).toSorted()).toEqual(['before', 'request']);
});
