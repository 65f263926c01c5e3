import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { packageFile } from '../../../src/package-files.js';
import { makeFolder } from '../../support/folder.js';
import { start } from '../../support/started-program.js';

const read = (name: string): string => readFileSync(packageFile(`examples/container/${name}`), 'utf8');

/** The arguments of a line of the Dockerfile that is written as JSON. */
const COMMAND = JSON.parse(/^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '') as string[];

type Probe = { httpGet: { path: string } };

interface StatefulSet {
  kind: string;
  spec: {
    replicas: number;
    template: {
      spec: {
        securityContext: { runAsNonRoot: boolean };
        containers: {
          args: string[];
          env: { name: string }[];
          livenessProbe: Probe;
          readinessProbe: Probe;
          volumeMounts: { name: string; mountPath: string }[];
        }[];
      };
    };
    volumeClaimTemplates: { metadata: { name: string } }[];
  };
}

const documents = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJS() as StatefulSet);
const set = documents.find(({ kind }) => kind === 'StatefulSet') as StatefulSet;
const [container] = set.spec.template.spec.containers;

/** A command as it would run in the container, with a folder of this machine in the place of the volume. */
const onThisMachine = (command: readonly string[]): string[] =>
  command.slice(1).map((each) => (each === '/data' ? join(makeFolder(), 'data') : each));

test.each([
  ['Dockerfile', COMMAND],
  ['kubernetes.yaml', container?.args ?? []],
])('the command of %s starts a mock whose data lasts, and whose probes need no token', async (_name, command) => {
  expect(command[0]).toBe('petstore-mock');
  expect(command).toContain('/data');
  const { port } = new URL((await start(onThisMachine(command), { env: { PETSTORE_MOCK_ADMIN_TOKEN: 'token' } })).url);
  const probes = [container?.livenessProbe, container?.readinessProbe].map((probe) => probe?.httpGet.path ?? '');
  for (const path of ['/__admin/ready', ...probes])
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
});

test('nothing runs as root, and one pod owns the volume that is mounted', () => {
  expect(read('Dockerfile')).toMatch(/^USER node$/m);
  expect(set.spec.template.spec.securityContext.runAsNonRoot).toBe(true);
  expect(set.spec.replicas).toBe(1);
  const names = set.spec.volumeClaimTemplates.map(({ metadata }) => metadata.name);
  expect(container?.volumeMounts.map(({ name, mountPath }) => [name, mountPath])).toEqual([[names[0], '/data']]);
});

test('compose keeps the data in a volume that it declares', () => {
  const { services, volumes } = parse(read('compose.yaml')) as {
    services: Record<string, { volumes: string[]; environment: Record<string, string> }>;
    volumes: Record<string, unknown>;
  };
  expect(services['petstore']?.volumes).toEqual([`${Object.keys(volumes)[0]}:/data`]);
  expect(Object.keys(services['petstore']?.environment ?? {})).toEqual(['PETSTORE_API_KEY']);
});
