import { afterEach, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../../src/index.js';

let mock: PetstoreMock | undefined;
afterEach(() => mock?.close());

/** The status of a create whose body is padded to some MiB. */
async function createWith(mebibytes: number, choice: string): Promise<number> {
  mock = await startPetstoreMock({ fixtures: 'empty', profile: { gaps: { 'body-too-large': choice } } });
  const pet = '{"name":"Rex","categoryId":1}';
  const { status } = await fetch(`${mock.url}/pets`, {
    method: 'POST',
    headers: { Authorization: 'Bearer petstore-dev-key', 'Content-Type': 'application/json' },
    body: pet.padEnd(mebibytes * 1024 * 1024 + 1),
  });
  return status;
}

test.each([
  ['refused-413', 413],
  ['refused-400', 400],
  ['accepted', 201],
])('%s: a body over 1 MiB is answered %i', async (choice, status) => expect(await createWith(1, choice)).toBe(status));

test('a body over 16 MiB is refused even where long ones are read', async () =>
  expect(await createWith(16, 'accepted')).toBe(413));
