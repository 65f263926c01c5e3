import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { watchOutput } from '../../../src/cli/output/file-output.js';

function failWith(...codes: (string | undefined)[]): string[] {
  const told: string[] = [];
  const stream = new PassThrough();
  watchOutput(stream as unknown as NodeJS.WriteStream, (code) => void told.push(code));
  for (const code of codes) stream.emit('error', Object.assign(new Error('no'), { code }));
  return told;
}

test('a reader that goes away is no failure', () => expect(failWith('EPIPE', 'EPIPE')).toEqual([]));

test('any other failure is told once', () => {
  expect(failWith('EPIPE', 'ENOSPC', 'ENOSPC', 'EIO')).toEqual(['ENOSPC']);
  expect(failWith(undefined)).toEqual(['Error: no']);
});
