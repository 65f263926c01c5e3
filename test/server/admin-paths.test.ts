import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setUp } from '../../src/server/set-up.js';
import { startPetstoreMock } from '../../src/server/start-petstore-mock.js';
import { content } from '../support/open-paths.js';

test.each([
  [false, 200],
  [true, 404],
])(
  'a contract with paths of the admin API, which is on: %s, is told of it, and answers %i there',
  async (admin, status) => {
    const folder = mkdtempSync(join(tmpdir(), 'admin-'));
    const spec = join(folder, 'stub.json');
    const paths = { '/__admin/mappings': { get: { responses: { 200: content({ type: 'object' }) } } } };
    writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'Stub', version: '1' }, paths }));
    const mock = await startPetstoreMock({ spec, admin, prism: false });
    try {
      expect(setUp({ spec, prism: false }).notes).toContainEqual(expect.stringContaining('--no-admin'));
      expect((await fetch(`${mock.url}/__admin/mappings`)).status).toBe(status);
    } finally {
      await mock.close();
      rmSync(folder, { recursive: true });
    }
  },
);
