import { onTestFinished } from 'vitest';
import { startPetstoreMock, type ListeningOptions, type PetstoreMock } from '../../../../src/index.js';
import { startEngine, type TestEngine } from './redis.js';

const AUTHORIZATION = 'Bearer petstore-dev-key';

/** Starts a replica in this process. */
export async function join({ url }: TestEngine, options: ListeningOptions = {}): Promise<PetstoreMock> {
  const mock = await startPetstoreMock({ shared: url, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

/** A new engine, and replicas of it without a pet. */
export async function startReplicas(count = 1): Promise<[TestEngine, PetstoreMock, PetstoreMock]> {
  const engine = await startEngine();
  const first = await join(engine, { fixtures: 'empty' });
  return [engine, first, count === 1 ? first : await join(engine, { fixtures: 'empty' })];
}

export interface Answered {
  status: number;
  body: { id?: number; name?: string; message?: string };
  retryAfter: string | null;
}

export async function send(
  mock: PetstoreMock,
  method: string,
  path: string,
  body?: unknown,
  world = 'default',
): Promise<Answered> {
  const response = await fetch(`${mock.url}${path}`, {
    method,
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json', 'x-petstore-world': world },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    retryAfter: response.headers.get('retry-after'),
  };
}
export const create = (mock: PetstoreMock, name: string): Promise<Answered> =>
  send(mock, 'POST', '/pets', { name, categoryId: 1 });
