import { connect } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import type { PetstoreMock } from '../../../src/index.js';
import { startMock } from '../../support/started-mock.js';

let mock: PetstoreMock;

beforeEach(async () => void (mock = await startMock()));

const request = (line: string, fields: string[] = [], version = '1.1'): string =>
  [`${line} HTTP/${version}`, 'Host: x', 'Authorization: Bearer petstore-dev-key', ...fields, '', ''].join('\r\n');

type Met = { lines: string[]; end: string };

/**
 * The status lines that arrive, and the code of what ends the connection. A client that is late reads them together with the
 * reset, which libuv then reports as an end: it asks again.
 */
async function meet(bytes: string, attempts = 20): Promise<Met> {
  const met = await meetOnce(bytes);
  return met.end === 'end' && attempts > 1 ? meet(bytes, attempts - 1) : met;
}

function meetOnce(bytes: string): Promise<Met> {
  return new Promise((resolve) => {
    let received = '';
    const finish = (end: string): void => resolve({ lines: received.match(/HTTP\/1\.1 [^\r]*/g) ?? [], end });
    const socket = connect(Number(new URL(mock.url).port), '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => finish(String(code)));
    socket.on('end', () => finish('end'));
  });
}

test.each([
  ['a client that names itself gets a byte ahead of the reset', ['User-Agent: Mozilla/5.0'], '1.1', ['100 Continue']],
  ['Node fetches without, since it fails on what it did not ask for', ['User-Agent: node'], '1.1', []],
  ['who does not name itself gets none', [], '1.1', []],
  ['HTTP/1.0 has no interim answers', ['User-Agent: Mozilla/5.0'], '1.0', []],
])('%s', async (_, fields, version, interim) => {
  await mock.faults.add({ effect: { reset: true } });
  const { lines, end } = await meet(request('GET /v1/pets', fields, version));
  expect([lines, end]).toEqual([interim.map((each) => `HTTP/1.1 ${each}`), 'ECONNRESET']);
});

test.each([[[]], [['User-Agent: Mozilla/5.0']]])(
  'answers to what was asked ahead of the reset arrive, whoever asks: %j',
  async (fields) => {
    await mock.faults.add({ when: { query: { limit: '1' } }, effect: { delay: 30 } });
    await mock.faults.add({ when: { query: { limit: '2' } }, effect: { reset: true } });
    const asked = [1, 3, 2, 4].map((limit) => request(`GET /v1/pets?limit=${limit}`, fields)).join('');
    const { lines, end } = await meet(asked);
    const answered = lines.filter((line) => line !== 'HTTP/1.1 100 Continue');
    expect([answered, end]).toEqual([['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK'], 'ECONNRESET']);
  },
);

test('an answer that is all head is reset where its body would break off, for a client would take it for whole', async () => {
  await mock.faults.add({ effect: { truncate: true } });
  expect(await meet(request('HEAD /v1/pets'))).toEqual({ lines: [], end: 'ECONNRESET' });
  expect(await mock.requests.list()).toMatchObject([{ method: 'HEAD', status: 0 }]);
});
