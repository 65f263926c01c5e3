import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeCommand, nameProgram } from '../../../src/cli/conformance/describe-command.js';
import type { RunnerOptions } from '../../../src/cli/conformance/options.js';

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

test('from a folder where npx would not find it, the program is named by its file', () => {
  expect(nameProgram(LOCAL, '/srv/other', {})).toBe('../shop/node_modules/.bin/petstore-conformance');
  expect(nameProgram(LOCAL, '/srv/shop/services/pets', {})).toBe('npx petstore-conformance');
});

function describe(flags: Record<string, unknown>): string {
  const given = (name: string) => (name in flags ? { from: 'flag', value: flags[name] } : undefined);
  const target = 'http://127.0.0.1:4010/v1';
  return describeCommand({ given } as unknown as RunnerOptions, { argv1: '', cwd: CWD, env: {}, target });
}

const BARE = 'petstore-conformance --target http://127.0.0.1:4010/v1';

test('a credential comes from its documented variable, and a shell that lacks it stops', () => {
  expect(describe({ credential: ['basicAuth=me:s3cret', 'oauth2=t0ken'] })).toBe(
    `PETSTORE_CREDENTIALS="\${PETSTORE_CREDENTIALS:?}" ${BARE}`,
  );
  expect(describe({ 'api-key': 's3cret' })).toBe(`PETSTORE_API_KEY="\${PETSTORE_API_KEY:?}" ${BARE}`);
});

test('what is no secret is printed as it was given', () => {
  expect(
    describe({ header: ['X-Petstore-World:  run-2'], parameter: ['X-Tenant=acme=1', 'serverId=local host'] }),
  ).toBe(`${BARE} --parameter X-Tenant=acme=1 --parameter 'serverId=local host' --header 'X-Petstore-World: run-2'`);
});

test('what is secret by its name is a variable, by a name that tells which', () => {
  expect(describe({ header: ['X-Gateway-Key:  abc'], parameter: ['access_token=abc'] })).toBe(
    `${BARE} --parameter "access_token=\${ACCESS_TOKEN:?}" --header "X-Gateway-Key: \${X_GATEWAY_KEY:?}"`,
  );
  expect(describe({ parameter: ['key"$(rm)`=x'] })).toBe(
    String.raw`${BARE} --parameter "key\"\$(rm)\`=${'$'}{KEY_RM_:?}"`,
  );
});

test('what the scenarios are, and what they may do, comes along', () => {
  expect(describe({ spec: 'my api.yaml', resources: 'r.yaml', records: 'x.yaml', 'read-only': true })).toBe(
    `${BARE} --spec 'my api.yaml' --resources r.yaml --records x.yaml --read-only`,
  );
  expect(describe({ may: ['create', 'update'], keep: true, timeout: 5 })).toBe(
    `${BARE} --may create --may update --keep`,
  );
});

test('by npx, with the package that it was told to fetch', () => {
  const folder = mkdtempSync(join(tmpdir(), 'npx-'));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ _npx: { packages: ['petstore-mock@1.2.3'] } }));
  const argv1 = join(folder, 'node_modules/.bin/petstore-conformance');
  expect(nameProgram(argv1, CWD, {})).toBe('npx -p petstore-mock@1.2.3 petstore-conformance');
});

test('npx asks before it takes a file, so a command to paste says yes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'npx-'));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ _npx: { packages: ['/srv/petstore-mock-1.2.3.tgz'] } }));
  const argv1 = join(folder, 'node_modules/.bin/petstore-conformance');
  expect(nameProgram(argv1, CWD, {})).toBe('npx -y -p /srv/petstore-mock-1.2.3.tgz petstore-conformance');
});
