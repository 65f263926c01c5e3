import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeFolder } from '../../support/folder.js';
import { start } from '../../support/started-program.js';
import { readExample } from './support/example.js';

const { read, at, ofContainer, probes, commands } = readExample('examples/container', 'StatefulSet');

/** A command as it would run in the container, with a folder of this machine in the place of the volume. */
const onThisMachine = (command: readonly string[]): string[] =>
  command.slice(1).map((each) => (each === '/data' ? join(makeFolder(), 'data') : each));

test.each(Object.entries(commands))(
  'the command of %s starts a mock whose data lasts, and whose probes need no token',
  async (_name, command) => {
    expect(command[0]).toBe('petstore-mock');
    expect(command).toContain('/data');
    const env = { PETSTORE_MOCK_ADMIN_TOKEN: 'token' };
    const { origin } = new URL((await start(onThisMachine(command), { env })).url);
    for (const path of ['/__admin/ready', ...probes]) expect((await fetch(origin + path)).status).toBe(200);
  },
);

test('nothing runs as root, and one pod owns the volume that is mounted', () => {
  expect(read('Dockerfile')).toMatch(/^USER node$/m);
  expect([at('template.spec.securityContext.runAsNonRoot'), at('replicas')]).toEqual([true, 1]);
  const name = at('volumeClaimTemplates.0.metadata.name');
  expect(ofContainer('volumeMounts')).toEqual([{ name, mountPath: '/data' }]);
});

test('compose keeps the data in a volume that it declares', () => {
  const { services, volumes } = parse(read('compose.yaml')) as {
    services: Record<string, { volumes: string[]; environment: Record<string, string> }>;
    volumes: Record<string, unknown>;
  };
  expect(services['petstore']?.volumes).toEqual([`${Object.keys(volumes)[0]}:/data`]);
  expect(Object.keys(services['petstore']?.environment ?? {})).toEqual(['PETSTORE_API_KEY']);
});
