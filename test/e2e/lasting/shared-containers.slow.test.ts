import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { startEngine } from '../../server/lasting/support/redis.js';
import { start } from '../../support/started-program.js';
import { readExample } from './support/example.js';

const { read, at, ofContainer, probes, commands } = readExample('examples/container/shared', 'Deployment');

test('two programs that start by the command of each file are one mock, and the probes need no token', async () => {
  const env = { PETSTORE_MOCK_ADMIN_TOKEN: 'token', PETSTORE_MOCK_SHARED: (await startEngine()).url };
  const one = await start(commands.Dockerfile.slice(1), { env });
  const two = await start(commands.kubernetes.slice(1), { env });
  const headers = { authorization: 'Bearer petstore-dev-key', 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
  const created = await fetch(`${one.url}/pets`, { method: 'POST', headers, body });
  const { id } = (await created.json()) as { id: number };
  expect(await (await fetch(`${two.url}/pets/${id}`, { headers })).json()).toMatchObject({ name: 'Rex' });
  for (const path of probes) expect((await fetch(new URL(two.url).origin + path)).status).toBe(200);
});

test('no replica runs as root, the URL of the engine is a secret, and old and new ones never run together', () => {
  expect(read('Dockerfile')).toMatch(/^USER node$/m);
  expect(read('Dockerfile')).toContain('petstore-mock.tgz ioredis');
  expect([at('replicas'), at('strategy.type')]).toEqual([3, 'Recreate']);
  expect(at('template.metadata.labels')).toEqual(at('selector.matchLabels'));
  expect(at('template.spec.securityContext.runAsNonRoot')).toBe(true);
  const valueFrom = { secretKeyRef: expect.objectContaining({ key: 'shared' }) as object };
  expect(ofContainer('env')).toContainEqual({ name: 'PETSTORE_MOCK_SHARED', valueFrom });
});

test('compose has replicas, and an engine that keeps what it was given', () => {
  const { services } = parse(read('compose.yaml')) as {
    services: Record<string, { command?: string[]; environment?: Record<string, string> }>;
  };
  expect(services['petstore']?.environment?.['PETSTORE_MOCK_SHARED']).toBe('redis://redis:6379/0');
  expect(services['redis']?.command?.join(' ')).toBe('redis-server --appendonly yes --maxmemory-policy noeviction');
});
