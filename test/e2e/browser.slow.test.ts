import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../src/index.js';
import { BROWSER_ARGS, findBrowser } from '../support/browser.js';
import { withoutBrowser } from '../support/console-page.js';
import { JSON_TYPE, KEY as key } from '../support/started-mock.js';

const executablePath = findBrowser();

/** What a page got to see of an answer. */
type Seen = { status: number; headers: Record<string, string | null>; body: unknown };

interface Ask {
  url: string;
  init?: { method?: string; headers?: Record<string, string>; body?: string; credentials?: 'include' };
  read?: string[];
}

describe.skipIf(withoutBrowser)('a page on another origin', () => {
  let mock: PetstoreMock;
  let closed: PetstoreMock;
  let site: Server;
  let browser: Browser | undefined;
  let page: Page;

  beforeAll(async () => {
    [mock, closed] = await Promise.all([startPetstoreMock(), startPetstoreMock({ cors: false })]);
    site = createServer((_, response) =>
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A page</title>'),
    );
    await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: BROWSER_ARGS });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  });

  afterAll(async () => {
    await browser?.close();
    site?.close();
    await Promise.all([mock?.close(), closed?.close()]);
  });

  function fetchInPage(ask: Ask): Promise<Seen> {
    return page.evaluate(async ({ url, init, read = [] }) => {
      const response = await fetch(url, init);
      const headers = Object.fromEntries(read.map((name) => [name, response.headers.get(name)]));
      return { status: response.status, headers, body: await response.json() };
    }, ask);
  }

  test('lists the pets, creates one and reads where it is', async () => {
    const listed = await fetchInPage({ url: `${mock.url}/pets?limit=2`, init: { headers: key } });
    expect([listed.status, (listed.body as []).length]).toEqual([200, 2]);
    const init = { method: 'POST', headers: { ...key, ...JSON_TYPE }, body: '{"name":"Rex","categoryId":1}' };
    const { status, headers, body } = await fetchInPage({ url: `${mock.url}/pets`, init, read: ['Location'] });
    expect([status, headers['Location']]).toEqual([201, `/v1/pets/${(body as { id: number }).id}`]);
  });

  test.each([
    ['how to authenticate', '/pets', {}, 401, { 'WWW-Authenticate': 'Bearer realm="petstore"' }],
    ['when an operation goes', '/pets/1', { headers: key }, 200, { Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }],
    ['what replaces it', '/pets/1', { headers: key }, 200, { Link: '</v1/pets>; rel="successor-version"' }],
    ['that it was forced', '/pets', { headers: { Prefer: 'code=503' } }, 503, { 'Preference-Applied': 'code=503' }],
    [
      'what is allowed, with credentials just the same',
      '/pets',
      { method: 'DELETE', headers: key, credentials: 'include' as const },
      405,
      { Allow: 'GET, POST, HEAD, OPTIONS' },
    ],
  ])('reads %s', async (_, path, init, status, headers) => {
    const seen = await fetchInPage({ url: `${mock.url}${path}`, init, read: Object.keys(headers) });
    const told = status < 400 ? status : (seen.body as { status: number }).status;
    expect([seen.status, told, seen.headers]).toEqual([status, status, headers]);
  });

  test('is kept out when CORS is off', async () => {
    await expect(fetchInPage({ url: `${closed.url}/pets`, init: { headers: key } })).rejects.toThrow('Failed to fetch');
  });
});
