import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeCommand, nameProgram } from '../../../src/cli/conformance/describe-command.js';
import type { RunnerOptions } from '../../../src/cli/conformance/options.js';
import { makeFolder } from '../../support/folder.js';

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

test.each<[string, Record<string, unknown>, string]>([
  [
    'a credential, which comes from its variable, and a shell that lacks it stops',
    { credential: ['basicAuth=me:s3cret', 'oauth2=t0ken'] },
    `PETSTORE_CREDENTIALS="\${PETSTORE_CREDENTIALS:?}" ${BARE}`,
  ],
  ['the key, likewise', { 'api-key': 's3cret' }, `PETSTORE_API_KEY="\${PETSTORE_API_KEY:?}" ${BARE}`],
  [
    'what is no secret, as it was given',
    { header: ['X-Petstore-World:  run-2'], parameter: ['X-Tenant=acme=1', 'serverId=local host'] },
    `${BARE} --parameter X-Tenant=acme=1 --parameter 'serverId=local host' --header 'X-Petstore-World: run-2'`,
  ],
  [
    'what is secret by its name, as a variable by a name that tells which',
    { header: ['X-Gateway-Key:  abc'], parameter: ['access_token=abc'] },
    `${BARE} --parameter "access_token=\${ACCESS_TOKEN:?}" --header "X-Gateway-Key: \${X_GATEWAY_KEY:?}"`,
  ],
  [
    'a name that a shell would run',
    { parameter: ['key"$(rm)`=x'] },
    String.raw`${BARE} --parameter "key\"\$(rm)\`=${'$'}{KEY_RM_:?}"`,
  ],
  [
    'what the scenarios are',
    { spec: 'my api.yaml', resources: 'r.yaml', records: 'x.yaml', 'read-only': true },
    `${BARE} --spec 'my api.yaml' --resources r.yaml --records x.yaml --read-only`,
  ],
  ['what they may', { may: ['create', 'update'], keep: true, rate: 5 }, `${BARE} --may create --may update --keep`],
])('a command to paste has %s', (_, flags, command) => expect(describe(flags)).toBe(command));

// npx asks before it takes a file, so a command to paste says yes.
test.each([
  ['petstore-mock@1.2.3', 'npx -p petstore-mock@1.2.3 petstore-conformance'],
  ['/srv/petstore-mock-1.2.3.tgz', 'npx -y -p /srv/petstore-mock-1.2.3.tgz petstore-conformance'],
])('by npx, with the package that it was told to fetch: %s', (wanted, command) => {
  const argv1 = 'node_modules/.bin/petstore-conformance';
  const folder = makeFolder({ [argv1]: '', 'package.json': JSON.stringify({ _npx: { packages: [wanted] } }) });
  expect(nameProgram(join(folder, argv1), CWD, {})).toBe(command);
});
