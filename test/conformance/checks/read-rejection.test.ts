import { expect, test } from 'vitest';
import { listNamed, quoteRejection } from '../../../src/conformance/checks/read-rejection.js';

test.each([
  '{"message":"another vessel has the call sign OZAB1"}',
  '{"message":"call_sign is taken"}',
  '{"code":"conflict","field":"callSign"}',
  'callSign is taken',
])('%s names callSign, and nothing else', (body) => {
  expect(listNamed(body, ['name', 'callSign', 'sign', 'kind']).filter((name) => name !== 'sign')).toEqual(['callSign']);
});

test('a word within another names nothing', () =>
  expect(listNamed('{"message":"recall signs later"}', ['callSign'])).toEqual([]));

test.each([
  ['{"code":"conflict","message":"The tenant is closed."}', '"The tenant is closed."'],
  [
    '{"errors":[{"extensions":{"code":"X"},"message":"Validation failed for field \\"name\\"."}]}',
    '"Validation failed for field \\"name\\"."',
  ],
  [
    '{"isJoi":true,"details":[{"path":["segments"],"message":"\\"segments\\" is required"}]}',
    '"\\"segments\\" is required"',
  ],
  ['<html><body><h1>Bad <b>request</b></h1></body></html>', '"Bad request"'],
  ['no such project', '"no such project"'],
  ['{"code":7}', ''],
  ['', ''],
])('of %s, a user is shown %s', (body, shown) => expect(quoteRejection(body)).toBe(shown));

test('a long text is cut', () =>
  expect(quoteRejection(JSON.stringify({ message: 'no '.repeat(100) })).length).toBeLessThan(170));
