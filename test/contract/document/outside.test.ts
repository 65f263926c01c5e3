import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract, type Contract } from '../../../src/contract/contract.js';
import { documentOf, loadFiles } from '../support/documents.js';
import { makeFolder } from '../../support/folder.js';

const FILES = { 'api/api.yaml': documentOf("{ $ref: '../common/thing.yaml' }"), 'common/thing.yaml': 'type: object\n' };

const OUTSIDE = "is outside the document's folder";

function notesOf(contract: Contract): string {
  // What is noted is known when all was looked at.
  contract.validate.compileAll();
  return JSON.stringify(contract.listNotes());
}

test("a reference out of the document's folder is not followed, and noted", () => {
  expect(notesOf(loadFiles(FILES))).toContain(
    "unresolved $ref ../common/thing.yaml: it is outside the document's folder, which only a trusted document may read; if you trust it, pass --allow-outside-refs",
  );
});

test('unless it is allowed', () => {
  expect(notesOf(loadContract(join(makeFolder(FILES), 'api/api.yaml'), { allowOutsideRefs: true }))).toBe('[]');
});

test('an absolute path and a percent escape are no way out', () => {
  const refuse = (reference: string): string =>
    notesOf(loadFiles({ 'api/api.yaml': documentOf(`{ $ref: '${reference}' }`) }));
  expect(refuse('/etc/hostname')).toContain(OUTSIDE);
  expect(refuse('%2e%2e/%2e%2e/etc/hostname')).toContain(OUTSIDE);
});

test('a link that leads out is none either, while one to the whole folder does no harm', () => {
  const folder = makeFolder({ ...FILES, 'api/api.yaml': documentOf("{ $ref: 'thing.yaml' }") });
  symlinkSync(join(folder, 'api'), join(folder, 'link'));
  symlinkSync('../common/thing.yaml', join(folder, 'api/thing.yaml'));
  expect(notesOf(loadContract(join(folder, 'api/api.yaml')))).toContain(OUTSIDE);
  const whole = makeFolder({
    'real/api.yaml': documentOf("{ $ref: 'thing.yaml' }"),
    'real/thing.yaml': 'type: object',
  });
  symlinkSync(join(whole, 'real'), join(whole, 'link'));
  expect(loadContract(join(whole, 'link/api.yaml')).operations).toHaveLength(1);
});

test('a pipe or a device is no document, and nothing to refer to', () => {
  const folder = makeFolder({ 'api.yaml': documentOf("{ $ref: 'pipe.yaml' }") });
  execFileSync('sh', ['-c', 'mkfifo pipe.yaml'], { cwd: folder });
  expect(notesOf(loadContract(join(folder, 'api.yaml')))).toContain('it is a pipe or a device, not a file');
  expect(() => loadContract(join(folder, 'pipe.yaml'))).toThrow('it is a pipe or a device, not a file');
  expect(() => loadContract('/dev/zero')).toThrow('cannot read /dev/zero: it is a pipe or a device, not a file.');
});
