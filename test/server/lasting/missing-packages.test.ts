import { expect, onTestFinished, test, vi } from 'vitest';
import { startPetstoreMock } from '../../../src/index.js';
import { makeFolder } from '../../support/folder.js';

test.each([
  ['ioredis', '--shared', { shared: 'redis://127.0.0.1:1' }],
  ['classic-level', '--data', { data: makeFolder() }],
])('without the package %s, %s ends with the command that installs it', async (name, flag, options) => {
  vi.doMock(name, () => {
    throw new Error('not installed');
  });
  onTestFinished(() => vi.doUnmock(name));
  await expect(startPetstoreMock(options)).rejects.toMatchObject({
    code: 'bad-option',
    message: `${flag} needs the package ${name}; install it: npm install ${name}.`,
  });
  vi.doUnmock(name);
  // What the first start left does not keep the next one from starting.
  const next = name === 'ioredis' ? undefined : await startPetstoreMock(options);
  await next?.close();
});
