import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startPetstoreMock, type FaultEffect, type PetstoreMock } from '../../src/index.js';
import { BROWSER_ARGS, findBrowser } from '../support/browser.js';
import { isMissing } from '../support/optional-tool.js';

const executablePath = findBrowser();
const withoutBrowser = isMissing({
  found: executablePath !== undefined,
  name: 'a Chromium',
  howToGet:
    'install one (on Debian: apt-get install chromium), or set CHROMIUM_PATH, and run npx vitest run test/e2e/browser-faults.test.ts',
});

const KEY = { Authorization: 'Bearer petstore-dev-key' };
const CREATE = {
  method: 'POST',
  headers: { ...KEY, 'Content-Type': 'application/json' },
  body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
};
/** A page that may ask without a preflight sends its first request on a connection of which nobody has seen an answer. */
const WITHOUT_PREFLIGHTS = '--disable-web-security';

interface Ask {
  url: string;
  init: { method?: string; headers: Record<string, string>; body?: string };
  /** Whether to ask for something else first, so that the connection has been used. */
  warm: boolean;
  /** How often. */
  times: number;
}

/** Browsers send a request again of their own accord where a connection that they have used ends without a byte. */
describe.skipIf(withoutBrowser)('a page meets a fault that strikes once', () => {
  let mock: PetstoreMock;
  let site: Server;
  let browser: Browser | undefined;

  beforeAll(async () => {
    site = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>'));
    await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
    const args = [...BROWSER_ARGS, WITHOUT_PREFLIGHTS];
    browser = await chromium.launch({ executablePath: executablePath ?? '', args });
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });
  beforeEach(async () => {
    mock = await startPetstoreMock({ fixtures: 'one' });
  });
  afterEach(() => mock.close());

  /** What a new page without connections sees of each of its requests. */
  async function see(ask: Ask): Promise<string[]> {
    const context = await (browser as Browser).newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const seen = await page.evaluate(async ({ url, init, warm, times }) => {
      if (warm) await fetch(`${url}/1`, init.method === 'POST' ? {} : init).then((response) => response.text());
      const results: string[] = [];
      for (let count = 0; count < times; count++) {
        const response = await fetch(url, init).catch(() => undefined);
        const body = await response?.json().then(
          () => 'whole',
          (error: Error) => (error instanceof SyntaxError ? 'no JSON' : 'broken off'),
        );
        results.push(response === undefined ? 'failed' : `${response.status} ${body}`);
      }
      return results;
    }, ask);
    await context.close();
    return seen;
  }

  const CONNECTIONS = [
    { connection: 'fresh', warm: false },
    { connection: 'used', warm: true },
  ];
  const EFFECTS: { effect: FaultEffect; get: string; post: string }[] = [
    { effect: { reset: true }, get: 'failed', post: 'failed' },
    { effect: { reset: true, delay: 30 }, get: 'failed', post: 'failed' },
    { effect: { truncate: true }, get: '200 broken off', post: '201 broken off' },
    { effect: { invalidJson: true }, get: '200 no JSON', post: '201 no JSON' },
    { effect: { status: 503, retryAfter: 0 }, get: '503 whole', post: '503 whole' },
    { effect: { status: 425 }, get: '425 whole', post: '425 whole' },
  ];
  const POSITIONS = ['before', 'after'] as const;
  const CASES = CONNECTIONS.flatMap(({ connection, warm }) =>
    POSITIONS.flatMap((at) => EFFECTS.map(({ effect, get, post }) => ({ connection, warm, at, effect, get, post }))),
  );

  test.each(CASES)(
    'on a $connection connection, $at the operation: $effect',
    async ({ warm, effect, get, post, at }) => {
      await mock.faults.add({ operationId: 'listPets', at, times: 1, effect });
      await mock.faults.add({ operationId: 'createPet', at, times: 1, effect });
      const url = `${mock.url}/pets`;
      expect(await see({ url, init: { headers: KEY }, warm, times: 2 })).toEqual([get, '200 whole']);
      expect(await see({ url, init: CREATE, warm, times: 1 })).toEqual([post]);
      expect((await mock.requests.list({ operationId: 'createPet' })).length).toBe(1);
      expect(await mock.pets.count()).toBe(at === 'before' ? 1 : 2);
    },
  );

  // What docs/testing.md says of them: HTTP has the browser ask again (RFC 9110 sections 15.5.9 and 15.5.20).
  test.each([
    { status: 408, warm: true, seen: '200 whole' },
    { status: 408, warm: false, seen: '408 whole' },
    { status: 421, warm: false, seen: '200 whole' },
    { status: 407, warm: false, seen: 'failed' },
  ])(
    'of which the browser makes something of its own: $status, used connection: $warm',
    async ({ status, warm, seen }) => {
      await mock.faults.add({ operationId: 'listPets', times: 1, effect: { status } });
      expect(await see({ url: `${mock.url}/pets`, init: { headers: KEY }, warm, times: 1 })).toEqual([seen]);
    },
  );
});
