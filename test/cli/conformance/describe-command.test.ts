import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nameProgram } from '../../../src/cli/conformance/describe-command.js';

const CWD = '/srv/shop';
const LOCAL = '/srv/shop/node_modules/.bin/petstore-conformance';

test.each([
  ['a local bin', LOCAL, {}, 'npx petstore-conformance'],
  ['pnpm', LOCAL, { npm_config_user_agent: 'pnpm/9.1.0 npm/? node/v22' }, 'pnpm exec petstore-conformance'],
  ['yarn', LOCAL, { npm_config_user_agent: 'yarn/1.22.22 npm/? node/v22' }, 'yarn petstore-conformance'],
  ['a file', '/srv/shop/dist/cli/petstore-conformance.js', {}, 'node dist/cli/petstore-conformance.js'],
  ['nothing that is known', '', {}, 'petstore-conformance'],
])('what is run again is started as before: by %s', (_name, argv1, env, command) => {
  expect(nameProgram(argv1, CWD, env)).toBe(command);
});

test('by npx, with the package that it was told to fetch', () => {
  const folder = mkdtempSync(join(tmpdir(), 'npx-'));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ _npx: { packages: ['petstore-mock@1.2.3'] } }));
  const argv1 = join(folder, 'node_modules/.bin/petstore-conformance');
  expect(nameProgram(argv1, CWD, {})).toBe('npx -p petstore-mock@1.2.3 petstore-conformance');
});
