import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FaultEffect, PetstoreMock } from '../../src/index.js';
import { BROWSER_ARGS, findBrowser } from '../support/browser.js';
import { withoutBrowser } from '../support/console-page.js';
import { serve } from '../support/serve.js';
import { JSON_TYPE, KEY, startMock } from '../support/started-mock.js';

const executablePath = findBrowser();
const CREATE = {
  method: 'POST',
  headers: { ...KEY, ...JSON_TYPE },
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
  let browser: Browser | undefined;

  beforeAll(async () => {
    const args = [...BROWSER_ARGS, WITHOUT_PREFLIGHTS];
    browser = await chromium.launch({ executablePath: executablePath ?? '', args });
  });
  afterAll(() => browser?.close());
  beforeEach(async () => void (mock = await startMock()));

  /** What a new page without connections sees of each of its requests. */
  async function see(ask: Ask): Promise<string[]> {
    const context = await (browser as Browser).newContext();
    const page = await context.newPage();
    await page.goto(
      await serve((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>')),
    );
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

  const EFFECTS: { effect: FaultEffect; get: string; post: string }[] = [
    { effect: { reset: true }, get: 'failed', post: 'failed' },
    { effect: { reset: true, delay: 30 }, get: 'failed', post: 'failed' },
    { effect: { truncate: true }, get: '200 broken off', post: '201 broken off' },
    { effect: { invalidJson: true }, get: '200 no JSON', post: '201 no JSON' },
    { effect: { status: 503, retryAfter: 0 }, get: '503 whole', post: '503 whole' },
  ];
  const CASES = ['fresh', 'used'].flatMap((connection) =>
    (['before', 'after'] as const).flatMap((at) =>
      EFFECTS.map(({ effect, get, post }) => ({ connection, at, effect, get, post })),
    ),
  );

  test.each(CASES)(
    'on a $connection connection, $at the operation: $effect',
    async ({ connection, effect, get, post, at }) => {
      const warm = connection === 'used';
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
