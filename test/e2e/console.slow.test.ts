import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../src/index.js';
import { BROWSER_ARGS, findBrowser } from '../support/browser.js';
import { isMissing } from '../support/optional-tool.js';

const executablePath = findBrowser();
const withoutBrowser = isMissing({
  found: executablePath !== undefined,
  name: 'a Chromium',
  howToGet: 'install one (on Debian: apt-get install chromium), or set CHROMIUM_PATH, and run npm run test:all',
});

const KEY = { Authorization: 'Bearer petstore-dev-key', 'Content-Type': 'application/json' };
const HOSTILE = '<img src=x onerror="window.owned=1"></script><script>window.owned=1</script>\u001B[31m\u202E';

/** The exchanges that are listed. */
const rowsOf = (page: Page): Locator => page.getByRole('listbox', { name: /^Exchanges/ }).getByRole('option');

describe.skipIf(withoutBrowser)('the console in a browser', () => {
  let browser: Browser | undefined;
  let mock: PetstoreMock;
  let origin = '';
  /** What a page complained of, and what it asked of others. */
  const trouble: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: BROWSER_ARGS });
  });
  beforeEach(async () => {
    mock = await startPetstoreMock({ fixtures: 'one' });
    ({ origin } = new URL(mock.url));
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    await mock.close();
    expect(trouble.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await browser?.newContext(options))?.newPage();
    if (page === undefined) throw new Error('there is no page');
    page.setDefaultTimeout(10_000);
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('dialog', (dialog) => trouble.push(dialog.message()));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('blob:')) trouble.push(request.url());
    });
    await page.goto(`${origin}${path}`);
    return page;
  }

  const ask = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(`${origin}${path}`, { headers: KEY, ...init });

  const post = (body: string): Promise<Response> => ask('/v1/pets', { method: 'POST', body });

  async function findAxeProblems(page: Page): Promise<string[]> {
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
  }

  const looks = [360, 1280].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, viewport: { width, height: 800 } })),
  );

  test.each(looks)(
    'axe finds nothing in any panel, and none is wider than the screen: %j',
    { timeout: 90_000 },
    async (look) => {
      await mock.faults.add({ operationId: 'getPet', effect: { status: 503 } });
      await mock.faults.add({ effect: { delay: { from: 0, to: 1 } } });
      await mock.snapshots.save('before');
      await ask('/v1/pets?limit=2');
      await post('{"name":"Rex","status":"gone"}');
      const page = await open('/', look);
      const check = async (): Promise<void> => {
        expect(await findAxeProblems(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      };
      await page.getByRole('heading', { name: /^A mock of Petstore/ }).waitFor();
      await check();
      await page.goto(`${origin}/__admin`);
      await rowsOf(page).first().waitFor();
      await check();
      await rowsOf(page).first().click();
      await page.getByRole('button', { name: 'Answer this one' }).click();
      await check();
      for (const [panel, text] of [
        ['collections', 'Snapshots'],
        ['behaviour', 'Profile'],
        ['coverage', 'listPets'],
      ] as const) {
        await page.goto(`${origin}/__admin#${panel}`);
        await page.getByRole('heading', { name: text }).first().waitFor();
        for (const each of await page.getByText('The same without this page').all()) await each.click();
        await check();
      }
    },
  );

  test('an exchange shows as it comes, with what is wrong at its place and the line of the contract', async () => {
    const page = await open('/__admin');
    await page.getByText('Nothing was sent yet').waitFor();
    await post('{"name":"Rex","status":"gone"}');
    await rowsOf(page)
      .filter({ hasText: /POST.*400.*client at fault/ })
      .click();
    await page.getByText('The client is at fault').waitFor();
    expect(await page.locator('.violation .is-meant').allInnerTexts()).toEqual([
      expect.stringContaining('required: [name, categoryId]') as string,
      expect.stringContaining('enum: [available, pending, sold]') as string,
    ]);
    const marked = await page.locator('.body .is-marked').allInnerTexts();
    expect(marked.join('')).toContain('"status": "gone"  ← body/status must be one of');
  });

  test('an exchange is sent again, and the next one like it is answered otherwise', async () => {
    await ask('/v1/pets?limit=1');
    const page = await open('/__admin');
    await rowsOf(page).click();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('2 exchanges').waitFor();
    await page.getByRole('button', { name: 'Answer this one' }).click();
    await page.getByLabel('Status', { exact: true }).last().fill('503');
    await page.getByRole('button', { name: 'Answer so' }).click();
    await page.getByText('The next one like it is answered so').waitFor();
    expect([(await ask('/v1/pets?limit=2')).status, (await ask('/v1/pets?limit=1')).status]).toEqual([200, 503]);
  });

  test('what is copied works', async () => {
    await post('{"name":"it\'s","categoryId":9007199254740993}');
    const page = await open('/__admin', { permissions: ['clipboard-read', 'clipboard-write'] });
    await rowsOf(page).click();
    const copy = async (label: string): Promise<string> => {
      await page.getByRole('button', { name: label }).click();
      await page.getByText('Copied').waitFor();
      await page.getByText('Copied').waitFor({ state: 'hidden' });
      return (await page.evaluate('navigator.clipboard.readText()')) as string;
    };
    expect(await copy('Copy as curl')).toContain(`--data-raw '{"name":"it'\\''s","categoryId":9007199254740993}'`);
    expect(await copy('Copy as fetch')).toContain('Bearer petstore-dev-key');
    expect(await copy('Copy as vitest test')).toContain("fetch(petstore.url + '/pets', {");
  });

  test('the exchanges are filtered', async () => {
    await ask('/v1/pets');
    await ask('/v1/pets/7');
    await ask('/pets');
    const page = await open('/__admin');
    const shown = async (): Promise<number> => rowsOf(page).count();
    await page.getByText('3 exchanges', { exact: true }).waitFor();
    await page.getByLabel('Verdict').selectOption('client');
    expect(await shown()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Operation').selectOption('getPet');
    expect(await shown()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Path or reason').fill('nowhere');
    await page.getByText('No exchange fits the filter').waitFor();
  });

  test('keys alone are enough', async () => {
    await ask('/v1/pets');
    await ask('/v1/pets/1');
    const page = await open('/__admin');
    await rowsOf(page).first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    while ((await page.evaluate('document.activeElement.role')) !== 'listbox') await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'getPet' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'listPets' }).waitFor();
    while ((await page.evaluate('document.activeElement.textContent')) !== 'Close') await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'listPets' }).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.role')).toBe('listbox');
  });

  test('records are added, changed and removed, kept and brought back', async () => {
    const page = await open('/__admin#collections');
    await page.getByRole('button', { name: 'Keep what is there' }).waitFor();
    await page.getByLabel('Name').fill('before');
    await page.getByRole('button', { name: 'Keep what is there' }).click();
    await page.getByRole('button', { name: 'Restore before' }).waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('New record').fill('{"name":"Rex","categoryId":9007199254740993}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: '9007199254740993' }).waitFor();
    expect(await mock.pets.get(2)).toMatchObject({ categoryId: 9007199254740993n });
    await page.getByRole('button', { name: 'Change 2' }).click();
    await page.getByLabel('Record', { exact: true }).fill('{"id":2,"name":"Max","categoryId":1}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: 'Max' }).waitFor();
    await page.getByRole('button', { name: 'Remove 1' }).click();
    await page.getByRole('button', { name: 'Remove 1' }).waitFor({ state: 'detached' });
    expect(await mock.pets.list()).toEqual([{ id: 2, name: 'Max', categoryId: 1 }]);
    await page.getByRole('button', { name: 'Restore before' }).click();
    await page.getByRole('button', { name: 'Remove 1' }).waitFor();
    await page.getByLabel('A pack that ships').selectOption('empty');
    await page.getByRole('button', { name: 'Begin with it' }).click();
    await page.getByText(/^There are no|is empty/).waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('New record').fill('{"name":1}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/breaks the contract/).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save what is there as a pack' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('default.yaml');
    // What the mock refused.
    trouble.length = 0;
  });

  test('faults, delay, clock, worlds and profile are set and cleared', async () => {
    const page = await open('/__admin#behaviour');
    const faults = page.locator('section', { has: page.getByRole('heading', { name: 'Faults' }) });
    await faults.getByLabel('Status', { exact: true }).fill('504');
    await faults.getByRole('button', { name: 'Add' }).click();
    await faults.getByText('answers 504').waitFor();
    expect((await ask('/v1/pets')).status).toBe(504);
    await faults.getByRole('button', { name: 'Remove all' }).click();
    await faults.getByText('None: every request is answered as the contract says.').waitFor();
    const delay = page.locator('section', { has: page.getByRole('heading', { name: 'Delay' }) });
    await delay.getByLabel('From, ms').fill('1');
    await delay.getByLabel('To, ms').fill('2');
    await delay.getByRole('button', { name: 'Set' }).click();
    await delay.getByText('Every request waits 1 to 2 ms.').waitFor();
    await delay.getByRole('button', { name: 'Remove the delay' }).click();
    await delay.getByText('None: every request is answered at once.').waitFor();
    const clock = page.locator('section', { has: page.getByRole('heading', { name: 'Clock' }) });
    await clock.getByRole('button', { name: 'Set' }).click();
    await clock.locator('time', { hasText: '2030-12-05' }).waitFor();
    await clock.getByRole('button', { name: 'Back to the start' }).click();
    await clock.locator('time', { hasText: '2030-12-05' }).waitFor({ state: 'detached' });
    await page.locator('#gap-list-order').selectOption('oldest-first');
    await page.getByText(/1 of \d+ choices changed/).waitFor();
    expect((await mock.profile.get()).choices['list-order']).toBe('oldest-first');
    const worlds = page.locator('section', { has: page.getByRole('heading', { name: 'Worlds' }) });
    await worlds.getByLabel('Name').fill('w1');
    await worlds.getByRole('button', { name: 'Add' }).click();
    await worlds.getByRole('button', { name: 'Show w1' }).click();
    expect(await page.locator('.world select').inputValue()).toBe('w1');
    await worlds.getByRole('button', { name: 'Forget w1' }).click();
    await worlds.getByRole('button', { name: 'Forget w1' }).waitFor({ state: 'detached' });
    expect(await mock.worlds()).toEqual(['default']);
  });

  test('the coverage grows with what is sent', async () => {
    const page = await open('/__admin#coverage');
    await page.getByRole('heading', { name: /^0 of \d+/ }).waitFor();
    await ask('/v1/pets?status=sold');
    await page.locator('.is-seen', { hasText: 'query/status = "sold"' }).waitFor();
  });

  test('nothing of a hostile client runs', async () => {
    await post(JSON.stringify({ name: HOSTILE, categoryId: 1 }));
    await post(JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 1 }));
    await post(JSON.stringify({ [HOSTILE]: HOSTILE }));
    await ask(`/v1/${encodeURIComponent(HOSTILE)}?${encodeURIComponent(HOSTILE)}=1`, {
      headers: { ...KEY, 'X-Html': '<b>' },
    });
    const page = await open('/__admin');
    await page.getByText('4 exchanges').waitFor();
    for (const option of await rowsOf(page).all()) {
      await option.click();
      await page.locator('.judgement').waitFor();
    }
    await page.goto(`${origin}/__admin#collections`);
    await page.getByRole('cell', { name: /<img src=x/ }).waitFor();
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(await page.locator('img').count()).toBe(0);
  });

  test('a page of another origin can neither frame it nor call it', async () => {
    const script = `Promise.all(['/reset', '/console/exchanges/1/again'].map((path) =>
      fetch('${origin}/__admin' + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
        .then(({ status }) => status, () => 'failed'))).then((all) => (document.title = all.join()))`;
    const strangers = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<title>stranger</title><iframe src="${origin}/__admin"></iframe><script>${script}</script>`);
    });
    await new Promise<void>((resolve) => strangers.listen(0, '127.0.0.1', resolve));
    await ask('/v1/pets');
    const page = await open('/');
    await page.goto(`http://127.0.0.1:${(strangers.address() as AddressInfo).port}/`);
    await page.waitForFunction("document.title === 'failed,failed'");
    const framed = page.frames().at(-1);
    expect((await framed?.content().catch(() => '')) ?? '').not.toContain('id="app"');
    expect(await mock.requests.count()).toBe(1);
    // What the browser says of it.
    trouble.length = 0;
    await new Promise((resolve) => strangers.close(resolve));
  });

  test('the token is asked for once in a tab', async () => {
    const guarded = await startPetstoreMock({ adminToken: 'a-token-of-the-admin' });
    origin = new URL(guarded.url).origin;
    const page = await open('/__admin');
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('That is not the token.').waitFor();
    await page.getByLabel('Token').fill('a-token-of-the-admin');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Nothing was sent yet').waitFor();
    await page.reload();
    await page.getByText('Nothing was sent yet').waitFor();
    await guarded.close();
    await page.getByText('The mock does not answer.').waitFor();
    // A refusal and a lost connection are told by the browser, too.
    trouble.length = 0;
  });

  test('a thousand exchanges leave the page usable', async () => {
    const page = await open('/__admin');
    await page.getByText('Nothing was sent yet').waitFor();
    for (let round = 0; round < 20; round += 1)
      await Promise.all(Array.from({ length: 50 }, () => ask('/v1/pets?limit=1')));
    await page.getByText('1000 exchanges').waitFor();
    expect(await page.locator('.list .row').count()).toBeLessThan(80);
    await rowsOf(page).first().click();
    await page.getByText('Both sides keep the contract').waitFor();
  });
});
