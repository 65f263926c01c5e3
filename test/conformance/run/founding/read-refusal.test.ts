import { expect, test } from 'vitest';
import { listNamed } from '../../../../src/conformance/run/founding/read-refusal.js';

test.each([
  '{"message":"another vessel has the call sign OZAB1"}',
  '{"message":"call_sign is taken"}',
  '{"code":"conflict","field":"callSign"}',
  'callSign is taken',
])('%s names callSign, and nothing else', (body) => {
  expect(listNamed(body, ['name', 'callSign', 'sign', 'kind']).filter((name) => name !== 'sign')).toEqual(['callSign']);
});

test('a word within another names nothing', () => {
  expect(listNamed('{"message":"recall signs later"}', ['callSign'])).toEqual([]);
});
