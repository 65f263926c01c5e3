import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatchedOutput } from '../../../src/cli/mock/exchange-log.js';

test('the lines of one turn are written together, in their order', async () => {
  const written: string[] = [];
  const output = createBatchedOutput((text) => written.push(text));
  output.add('one');
  output.add('two');
  expect(written).toEqual([]);
  await nextTurn();
  expect(written).toEqual(['one\ntwo\n']);
  output.add('three');
  await nextTurn();
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});

test('what waits can be written at once, and is not written again', async () => {
  const written: string[] = [];
  const output = createBatchedOutput((text) => written.push(text));
  output.add('last words');
  output.flush();
  output.flush();
  await nextTurn();
  expect(written).toEqual(['last words\n']);
});
