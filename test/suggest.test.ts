import { expect, test } from 'vitest';
import { suggest } from '../src/suggest.js';

const packs = ['default', 'edge-cases', 'empty', 'int64', 'large', 'one', 'page-bounds'];

test.each([
  ['emtpy', packs, 'empty'],
  ['noe', packs, 'one'],
  ['Default', packs, 'default'],
  ['edgecases', packs, 'edge-cases'],
  ['edge', packs, 'edge-cases'],
  ['prot', ['port', 'host'], 'port'],
  ['--prot', ['--port', '--no-cors'], '--port'],
  ['oldest', ['newest-first', 'oldest-first'], 'oldest-first'],
])('%s is taken for one of %j: %s', (word, known, meant) => {
  expect(suggest(word, known)).toBe(`; did you mean ${meant}?`);
});

test.each([
  ['nope', packs],
  ['--cors', ['--port', '--count']],
  ['x', ['a', 'b']],
  ['name', ['rate', 'only']],
  ['p', ['port', 'profile']],
  ['pro', ['profile', 'promise']],
  ['anything', []],
])('%s is taken for none of %j', (word, known) => expect(suggest(word, known)).toBe('.'));
