import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { addFormats } from '../../../src/contract/schemas/ajv-keywords.js';

const ajv = new Ajv2020();
addFormats(ajv);
const isUrl = ajv.compile({ type: 'string', format: 'url' });

test.each([
  'https://example.com/a?b=c#d',
  'http://127.0.0.1:4010/v1/pets/7',
  'http://10.0.0.8/',
  'http://localhost/pets',
  'https://pets.internal/7',
  'https://bücher.example/7',
])('%s is a url', (text) => expect(isUrl(text)).toBe(true));

test.each(['', 'pets', '/v1/pets/7', 'http://', 'http://a b/', 'not a url at all'])('%j is none', (text) => {
  expect(isUrl(text)).toBe(false);
});
