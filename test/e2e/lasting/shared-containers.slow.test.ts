import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { packageFile } from '../../../src/package-files.js';
import { startEngine } from '../../server/lasting/support/redis.js';
import { start } from '../../support/started-program.js';

const read = (name: string): string => readFileSync(packageFile(`examples/container/shared/${name}`), 'utf8');

const COMMAND = JSON.parse(/^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '') as string[];

interface Deployment {
  kind: string;
  spec: {
    replicas: number;
    strategy: { type: string };
    selector: { matchLabels: object };
    template: {
      metadata: { labels: object };
      spec: {
        securityContext: { runAsNonRoot: boolean };
        containers: {
          args: string[];
          env: { name: string; valueFrom: { secretKeyRef: { key: string } } }[];
          livenessProbe: { httpGet: { path: string } };
          readinessProbe: { httpGet: { path: string } };
        }[];
      };
    };
  };
}

const documents = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJS() as Deployment);
const deployment = documents.find(({ kind }) => kind === 'Deployment') as Deployment;
const [container] = deployment.spec.template.spec.containers;

test('two programs that start by the command of each file are one mock, and the probes need no token', async () => {
  const env = { PETSTORE_MOCK_ADMIN_TOKEN: 'token', PETSTORE_MOCK_SHARED: (await startEngine()).url };
  const one = await start(COMMAND.slice(1), { env });
  const two = await start((container?.args ?? []).slice(1), { env });
  const headers = { authorization: 'Bearer petstore-dev-key', 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
  const created = await fetch(`${one.url}/pets`, { method: 'POST', headers, body });
  const { id } = (await created.json()) as { id: number };
  expect(await (await fetch(`${two.url}/pets/${id}`, { headers })).json()).toMatchObject({ name: 'Rex' });
  for (const probe of [container?.livenessProbe, container?.readinessProbe])
    expect((await fetch(`http://127.0.0.1:${new URL(two.url).port}${probe?.httpGet.path ?? ''}`)).status).toBe(200);
});

test('no replica runs as root, the URL of the engine is a secret, and old and new ones never run together', () => {
  expect(read('Dockerfile')).toMatch(/^USER node$/m);
  expect(read('Dockerfile')).toContain('petstore-mock.tgz ioredis');
  const { replicas, strategy, selector, template } = deployment.spec;
  expect([replicas, strategy.type]).toEqual([3, 'Recreate']);
  expect(template.metadata.labels).toEqual(selector.matchLabels);
  expect(template.spec.securityContext.runAsNonRoot).toBe(true);
  const secrets = container?.env.map(({ name, valueFrom }) => [name, valueFrom.secretKeyRef.key]);
  expect(secrets).toContainEqual(['PETSTORE_MOCK_SHARED', 'shared']);
});

test('compose has replicas, and an engine that keeps what it was given', () => {
  const { services } = parse(read('compose.yaml')) as {
    services: Record<string, { command?: string[]; environment?: Record<string, string> }>;
  };
  expect(services['petstore']?.environment?.['PETSTORE_MOCK_SHARED']).toBe('redis://redis:6379/0');
  expect(services['redis']?.command?.join(' ')).toBe('redis-server --appendonly yes --maxmemory-policy noeviction');
});
