import { onTestFinished } from 'vitest';
import { startPetstoreMock, type ListeningOptions, type PetstoreMock } from '../../src/index.js';

export const KEY = { Authorization: 'Bearer petstore-dev-key' };
export const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A mock with one pet, or as the options say, which is closed after the test. */
export async function startMock(options: ListeningOptions = {}): Promise<PetstoreMock> {
  const pack = options.spec === undefined && options.count === undefined ? { fixtures: 'one' } : {};
  const mock = await startPetstoreMock({ ...pack, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

/** Creates a pet with this body, or of this name. */
export function createPet(
  { url }: { url: string },
  body: string | object = { name: 'Rex', categoryId: 1 },
  more: RequestInit = {},
  query = '',
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { ...KEY, ...JSON_TYPE, ...(more.headers as Record<string, string> | undefined) };
  return fetch(`${url}/pets${query}`, { ...more, method: 'POST', headers, body: text });
}
