import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startPetstoreMock, type ListeningOptions, type PetstoreMock } from '../../src/index.js';
import { BROWSER_ARGS, findBrowser } from './browser.js';
import { isMissing } from './optional-tool.js';

const executablePath = findBrowser();
export const withoutBrowser = isMissing({
  found: executablePath !== undefined,
  name: 'a Chromium',
  howToGet: 'install one (on Debian: apt-get install chromium), or set CHROMIUM_PATH, and run npm run test:all',
});

export const KEY = { Authorization: 'Bearer petstore-dev-key', 'Content-Type': 'application/json' };

/** A mock, and pages of it in a browser, for each test. */
export interface Opened {
  mock: PetstoreMock;
  origin: string;
  /** What a page complained of, and what it asked of others. What is left of it at the end of a test fails it. */
  trouble: string[];
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  ask(path: string, init?: RequestInit): Promise<Response>;
  post(body: string): Promise<Response>;
}

/** The exchanges that are listed. */
export const rowsOf = (page: Page): Locator => page.getByRole('listbox', { name: /^Exchanges/ }).getByRole('option');

/** Has each test of a file begin with a new mock. */
export function useConsole(): Opened {
  let browser: Browser | undefined;
  const opened = { trouble: [] as string[] } as Opened;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: BROWSER_ARGS });
  });
  beforeEach(async () => {
    opened.mock = await startPetstoreMock({ fixtures: 'one' });
    opened.origin = new URL(opened.mock.url).origin;
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    await opened.mock.close();
    const left = opened.trouble.splice(0);
    // oxlint-disable-next-line vitest/no-standalone-expect
    expect(left).toEqual([]);
  });
  afterAll(() => browser?.close());
  const { trouble } = opened;
  opened.open = async (path, options = {}) => {
    const page = await (await browser?.newContext(options))?.newPage();
    if (page === undefined) throw new Error('there is no page');
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('dialog', (dialog) => trouble.push(dialog.message()));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${opened.origin}/`) && !request.url().startsWith('blob:'))
        trouble.push(request.url());
    });
    await page.goto(`${opened.origin}${path}`);
    return page;
  };
  opened.ask = (path, init) => fetch(`${opened.origin}${path}`, { headers: KEY, ...init });
  opened.post = (body) => opened.ask('/v1/pets', { method: 'POST', body });
  return opened;
}

/** A phone and a desk, by day and by night. */
export const LOOKS = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, viewport: { width, height: 800 } })),
);

/** What axe finds, and what is wider than the screen, or sticks out of its form or out of the names of the panels. */
export async function findTrouble(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  const all = '[...document.querySelectorAll(".top nav, .fields-row")]';
  const out = `${all}.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)`;
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`),
    ...(wide > 0 ? [`the page is ${wide} pixels wider than the screen`] : []),
    ...((await page.evaluate(out)) as string[]),
  ];
}

export const clickButton = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Another mock in the place of the one that the test began with. */
export async function useMock(on: Opened, options: ListeningOptions): Promise<PetstoreMock> {
  await on.mock.close();
  on.mock = await startPetstoreMock(options);
  on.origin = new URL(on.mock.url).origin;
  return on.mock;
}
