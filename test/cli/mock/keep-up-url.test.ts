import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { contract, MORE, useWatched } from '../support/watched-mock.js';

const on = useWatched();
let server: Server | undefined;

afterEach(() => server?.close());

/** A document that can be replaced; `undefined` is 500. */
async function serve(): Promise<{ url: string; give: (text: string | undefined) => void }> {
  let text: string | undefined = contract(20);
  const serving = createServer((_, response) => response.writeHead(text === undefined ? 500 : 200).end(text));
  server = serving;
  await new Promise<void>((resolve) => serving.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(serving.address() as AddressInfo).port}/api.yaml`, give: (next) => (text = next) };
}

test('a contract at a URL is followed: a change is live, and what cannot be used leaves the last good one', async () => {
  const { url, give } = await serve();
  await on.start('--spec', url.replace('//', '//rex:s3cret@'), '--fixtures', 'empty');
  await on.create('Rex');
  give(contract(20, MORE));
  await on.waitForEvents(1);
  expect((await on.ask('/health')).status).toBe(204);
  give('<html></html>');
  await on.waitForEvents(2);
  expect(on.news.problem).toMatch(/web page.*The previous version is still served\.$/);
  give(undefined);
  await on.waitForEvents(3);
  expect(on.news.problem).toMatch(/the response is 500\. The previous version is still served\.$/);
  expect([await on.listNames(), (await on.ask('/health')).status]).toEqual([['Rex'], 204]);
  give(contract(20));
  await on.waitForEvents(4);
  expect([on.news.problem, (await on.ask('/health')).status]).toEqual([undefined, 404]);
  expect(on.events.map(({ loaded }) => loaded)).toEqual([true, false, false, true]);
  expect(on.events[3]?.files).toEqual([url]);
  expect(JSON.stringify([on.events, on.news])).not.toContain('s3cret');
});
