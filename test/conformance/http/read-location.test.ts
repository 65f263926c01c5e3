import { expect, test } from 'vitest';
import { readLocationKey } from '../../../src/conformance/http/read-response.js';

test.each([
  ['/v1/pets/7', '7'],
  ['/v1/pets/7/', '7'],
  ['7', '7'],
  ['https://example.com/v1/pets/a%20b?c=d#e', 'a b'],
  ['//example.com/7', '7'],
  ['/v1/pets/%zz', '%zz'],
  ['https://example.com', undefined],
  ['https://example.com/', undefined],
  ['https://example.com:8080?a=/b', undefined],
  ['/', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s names the record %s', (location, key) => expect(readLocationKey(location)).toBe(key));
