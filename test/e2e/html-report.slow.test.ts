import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { reportFormats } from '../../src/report/index.js';
import { makeFolder } from '../support/folder.js';
import { runGolden } from '../report/golden-run.js';
import { makeDeviating, makeFinding, makeResult } from '../report/results.js';
import { BROWSER_ARGS, findBrowser } from '../support/browser.js';
import { withoutBrowser } from '../support/console-page.js';

const executablePath = findBrowser();

const WIDTHS = [360, 768, 1280];
const THEMES = ['light', 'dark'] as const;
const looks = WIDTHS.flatMap((width) => THEMES.map((colorScheme) => ({ width, colorScheme })));

describe.skipIf(withoutBrowser)('the HTML report in a browser', () => {
  const folder = makeFolder();
  let browser: Browser | undefined;
  let golden = '';
  /** What a page complained of, and what it asked for, but for the page itself. */
  const trouble: string[] = [];

  beforeAll(async () => {
    golden = reportFormats['html']?.write(await runGolden(), { color: false, quiet: false }) ?? '';
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: BROWSER_ARGS });
  });

  afterEach(() => {
    trouble.length = 0;
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  async function open(text: string, options: BrowserContextOptions = {}): Promise<Page> {
    const file = join(folder, 'conformance.html');
    writeFileSync(file, text);
    const url = pathToFileURL(file).href;
    const context = await browser?.newContext(options);
    const page = await context?.newPage();
    if (page === undefined) throw new Error('there is no page');
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('dialog', (dialog) => trouble.push(dialog.message()));
    page.on('request', (request) => {
      if (request.url() !== url) trouble.push(request.url());
    });
    await page.goto(url);
    return page;
  }

  /** As a reader does who wants to see all. */
  async function unfold(page: Page): Promise<void> {
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
  }

  async function judge(page: Page): Promise<string[]> {
    // The page's policy keeps out whatever is no part of it; what is evaluated from outside is not bound by it.
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  }

  test.each(looks)(
    'is sound for all readers, and fits, $width pixels wide in $colorScheme',
    async ({ width, colorScheme }) => {
      const page = await open(golden, { viewport: { width, height: 800 }, colorScheme });
      await unfold(page);
      expect(await judge(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(trouble).toEqual([]);
    },
  );

  test('the judge of contrast and names can complain', async () => {
    const page = await open('<!doctype html><html><body><p style="color:#999;background:#fff">pale</p></body></html>');
    const complaints = (await judge(page)).map((complaint) => complaint.split(':')[0]);
    expect(complaints).toEqual(expect.arrayContaining(['color-contrast', 'document-title', 'html-has-lang']));
  });

  test('follows the theme of its reader', async () => {
    const shades = [];
    for (const colorScheme of THEMES) {
      const page = await open(golden, { colorScheme });
      shades.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    }
    expect(new Set(shades).size).toBe(2);
  });

  test('unfolds without scripts, by key as by pointer', async () => {
    const page = await open(golden, { javaScriptEnabled: false });
    const exchange = page.locator('.problem .exchange').first();
    expect(await exchange.locator('pre').first().isVisible()).toBe(false);
    await exchange.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await exchange.locator('pre').first().isVisible()).toBe(true);
    expect(await page.locator('.scenario').first().isVisible()).toBe(false);
    await page.locator('.file > summary').first().click();
    expect(await page.locator('.scenario').first().isVisible()).toBe(true);
  });

  test('a reader who goes by keys sees where they are', async () => {
    const page = await open(golden);
    await page.keyboard.press('Tab');
    const style = 'getComputedStyle(document.activeElement).outlineStyle';
    expect(await page.evaluate(`[document.activeElement.textContent, ${style}]`)).toEqual(['Problems', 'solid']);
  });

  test('on paper what is folded is there to read, dark on white', async () => {
    const page = await open(golden, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.problem .exchange pre').first().isVisible()).toBe(true);
    expect(await page.locator('.scenario').first().isVisible()).toBe(true);
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    expect(await judge(page)).toEqual([]);
  });

  test('what a target sends runs nothing, asks nobody and hides nothing', async () => {
    const nasty =
      '</title></style></pre><script>alert(1)</script><img src="http://127.0.0.1:9/x" onerror="alert(2)"><style>main{display:none}</style><meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">';
    const finding = makeFinding({ actual: nasty, expected: 'sound', at: nasty });
    const response = { status: 200, headers: { [nasty]: nasty }, body: nasty };
    const result = makeResult([{ ...makeDeviating('a/a', [finding], { response }), title: nasty }], { notes: [nasty] });
    const text = reportFormats['html']?.write(result, { color: false, quiet: false });
    const page = await open(text ?? '');
    await unfold(page);
    expect(await page.locator('script, img, main style, main meta').count()).toBe(0);
    const shown = (await page.locator('.compare .deviated pre').textContent()) ?? '';
    expect(shown).toContain('<script>alert(1)</script>');
    expect(nasty.startsWith(shown.replace(/…$/, ''))).toBe(true);
    expect(await page.locator('main').isVisible()).toBe(true);
    expect(trouble).toEqual([]);
  });

  test('even markup that got into the page would have no effect', async () => {
    const injected =
      '<script>document.title = "taken"</script><img src="http://127.0.0.1:9/x" alt=""><style>main{display:none}</style>';
    const page = await open(golden.replace('<main>', `${injected}<main>`));
    expect(await page.title()).toMatch(/petstore-conformance$/);
    expect(await page.locator('main').isVisible()).toBe(true);
    expect(trouble.filter((each) => /Content Security Policy/.test(each)).length).toBeGreaterThanOrEqual(3);
  });
});
