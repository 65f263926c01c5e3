import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../src/index.js';
import { BROWSER_ARGS, findBrowser } from '../support/browser.js';
import { isMissing } from '../support/optional-tool.js';

const executablePath = findBrowser();
const withoutBrowser = isMissing({
  found: executablePath !== undefined,
  name: 'a Chromium',
  howToGet:
    'install one (on Debian: apt-get install chromium), or set CHROMIUM_PATH, and run npx vitest run test/e2e/browser.slow.test.ts',
});

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
  const key = { Authorization: 'Bearer petstore-dev-key' };

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

  test('lists the pets', async () => {
    const { status, body } = await fetchInPage({ url: `${mock.url}/pets?limit=2`, init: { headers: key } });
    expect([status, (body as []).length]).toEqual([200, 2]);
  });

  test('creates a pet and reads where it is', async () => {
    const { status, headers, body } = await fetchInPage({
      url: `${mock.url}/pets`,
      init: {
        method: 'POST',
        headers: { ...key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
      },
      read: ['Location'],
    });
    expect(status).toBe(201);
    expect(headers['Location']).toBe(`/v1/pets/${(body as { id: number }).id}`);
  });

  test('reads the body of a 401 and how to authenticate', async () => {
    const { status, headers, body } = await fetchInPage({ url: `${mock.url}/pets`, read: ['WWW-Authenticate'] });
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'unauthorized', status: 401 });
    expect(headers['WWW-Authenticate']).toBe('Bearer realm="petstore"');
  });

  test('reads when the deprecated operation goes and what replaces it', async () => {
    const { headers } = await fetchInPage({
      url: `${mock.url}/pets/1`,
      init: { headers: key },
      read: ['Sunset', 'Link'],
    });
    expect(headers).toEqual({ Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', Link: '</v1/pets>; rel="successor-version"' });
  });

  test('forces an answer and reads that it was', async () => {
    const { status, headers, body } = await fetchInPage({
      url: `${mock.url}/pets`,
      init: { headers: { ...key, Prefer: 'code=503' } },
      read: ['Preference-Applied'],
    });
    expect([status, headers['Preference-Applied']]).toEqual([503, 'code=503']);
    expect(body).toMatchObject({ status: 503 });
  });

  test('reads a 405, and with credentials just the same', async () => {
    const init = { method: 'DELETE', headers: key, credentials: 'include' as const };
    const { status, headers } = await fetchInPage({ url: `${mock.url}/pets`, init, read: ['Allow'] });
    expect([status, headers['Allow']]).toEqual([405, 'GET, POST, HEAD, OPTIONS']);
  });

  test('is kept out when CORS is off', async () => {
    await expect(fetchInPage({ url: `${closed.url}/pets`, init: { headers: key } })).rejects.toThrow('Failed to fetch');
  });
});
