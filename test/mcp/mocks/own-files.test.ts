import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFile } from '../../../src/mcp/session.js';
import { makeFolder } from '../../support/folder.js';
import { connectClient } from '../support/connect-client.js';

const folder = makeFolder({ 'api/api.yaml': '', 'other.yaml': '' });

test('a file in or below the folder may be named', () => {
  expect(ownFile('api/api.yaml', folder)).toMatch(/api\/api\.yaml$/);
  expect(ownFile(join(folder, 'other.yaml'), folder)).toMatch(/other\.yaml$/);
});

test('what is outside is rejected, a link that leads there too, and a server without a folder names no file', () => {
  symlinkSync('/etc/hostname', join(folder, 'link.yaml'));
  for (const path of ['/etc/passwd', '../elsewhere.yaml', 'api/../../x.yaml', '/', 'link.yaml'])
    expect(() => ownFile(path, folder)).toThrow('is outside');
  expect(() => ownFile('other.yaml', undefined)).toThrow('these tools read no files');
});

test.each([
  ['mock', { do: 'start', spec: '/etc/passwd' }],
  ['mock', { do: 'start', options: { fixtures: '/etc/passwd' } }],
  ['mock', { do: 'start', options: { profile: '/etc/passwd' } }],
  ['mock', { do: 'start', options: { resources: '/etc/passwd' } }],
  ['mock', { do: 'start', options: { spec: '/etc/passwd' } }],
  ['contract', { spec: '/etc/passwd' }],
  ['conformance', { target: 'http://127.0.0.1:1', spec: '/etc/passwd' }],
  ['gaps', { spec: '/etc/passwd' }],
])('%s with %j reads nothing outside the folder', async (name, given) => {
  const { call } = await connectClient({ folder });
  const { text, isError } = await call(name, given);
  expect(isError).toBe(true);
  expect(text).toContain('/etc/passwd is outside');
  expect(text).not.toContain('root');
});
