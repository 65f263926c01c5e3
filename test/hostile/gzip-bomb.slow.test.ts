import { createGunzip } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeGzipBomb } from './gzip-bomb.js';

test('the gzip bomb is one valid stream of 1 GiB', async () => {
  const gunzip = createGunzip();
  let size = 0;
  gunzip.on('data', (chunk: Buffer) => (size += chunk.length));
  const ended = new Promise((resolve, reject) => gunzip.once('end', resolve).once('error', reject));
  for (const piece of makeGzipBomb()) gunzip.write(piece);
  gunzip.end();
  await ended;
  expect(size).toBe(2 ** 30);
});
