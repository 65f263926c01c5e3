import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import { BROWSER_ARGS, findBrowser } from '../support/browser.js';
import { makeFolder } from '../support/folder.js';
import { isMissing } from '../support/optional-tool.js';
import { PAGES } from '../support/readme.js';

const SITE = packageFile('site');
const GENERATOR = join(SITE, 'node_modules/vitepress/bin/vitepress.js');
const executablePath = findBrowser() ?? '';

const isImpossible = [
  isMissing({ found: existsSync(GENERATOR), name: 'the generator of the site', howToGet: 'npm ci --prefix site' }),
  isMissing({ found: executablePath !== '', name: 'a Chromium', howToGet: 'install one, or set CHROMIUM_PATH' }),
].includes(true);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Serves a folder below a base path, as a host for pages does. */
function serveFolder(folder: string, base: string): Server {
  return createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    const file = join(folder, path.slice(base.length - 1), path.endsWith('/') ? 'index.html' : '');
    if (!path.startsWith(base) || !existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  }).listen(0, '127.0.0.1');
}

describe.skipIf(isImpossible)('the site', () => {
  const built = makeFolder();
  let server: Server;
  let browser: Browser;
  let origin: string;
  /** Hosts of projects serve them below their name. */
  const base = '/petstore-mock/';

  beforeAll(async () => {
    const env = { ...process.env, SITE_BASE: base };
    await promisify(execFile)(process.execPath, [GENERATOR, 'build', SITE, '--outDir', built], { env, cwd: SITE });
    server = serveFolder(built, base);
    browser = await chromium.launch({ executablePath, args: BROWSER_ARGS });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    await browser.close();
    server.close().closeAllConnections();
  });

  /** A page that notes what it asks other hosts for, and what goes wrong in it. */
  async function open(path: string, look: BrowserContextOptions = {}): Promise<{ page: Page; wrong: string[] }> {
    const context = await browser.newContext(look);
    onTestFinished(() => context.close());
    const wrong: string[] = [];
    await context.route(
      (url) => url.origin !== origin,
      (route) => {
        wrong.push(`asked ${route.request().url()}`);
        return route.abort();
      },
    );
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => wrong.push(message));
    page.on('response', (response) => {
      if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${origin}${base}${path}`, { waitUntil: 'networkidle' });
    return { page, wrong };
  }

  const htmlOf = (page: string): string => (page === 'README.md' ? '' : page.replace(/\.md$/, '.html'));

  test.each(PAGES)('%s is a page, asks no other host for anything, and is no wider than a telephone', async (path) => {
    const { page, wrong } = await open(htmlOf(path), { viewport: { width: 360, height: 740 } });
    const title = /^# (.+)$/m.exec(readFileSync(packageFile(path), 'utf8'))?.[1]?.replaceAll('`', '') ?? '';
    expect(await page.locator('h1').first().textContent()).toContain(title);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(wrong).toEqual([]);
  });

  test('a page that asks another host would be noticed', async () => {
    const { page, wrong } = await open('');
    await page.evaluate('fetch("http://elsewhere.invalid/font.woff2").catch(() => {})');
    await expect.poll(() => wrong).toEqual(['asked http://elsewhere.invalid/font.woff2']);
  });

  test('llms.txt is there, and what it lists', () => {
    const listed = [...readFileSync(join(built, 'llms.txt'), 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(
      ([, path = '']) => path,
    );
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.filter((path) => !existsSync(join(built, path)))).toEqual([]);
  });

  test('the menu has every page of docs/', async () => {
    const { page } = await open('');
    const links = await page.locator('.VPSidebar a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    const pages = PAGES.filter((path) => path !== 'README.md').map((path) => `${base}${htmlOf(path)}`);
    expect(links).toEqual(expect.arrayContaining(pages));
  });

  test('the search finds a word, and leads to its place', async () => {
    const { page, wrong } = await open('');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByPlaceholder('Search').fill('max-creates');
    await page.locator('.VPLocalSearchBox .result').first().click();
    await page.waitForURL(/\/docs\/[\w-]+\.html/);
    expect(wrong).toEqual([]);
  });

  test('every link to a file of the package, and every image, leads somewhere', () => {
    // The pet shop is copied as it is, with a page of its own.
    const pages = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.html') && path !== 'examples/pet-shop/index.html',
    );
    const dead = pages.flatMap((path) =>
      [...readFileSync(join(built, path), 'utf8').matchAll(/(?:href|src)="([^"#?]+)[^"]*"/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^(?:\w+:|\/\/)/.test(link))
        .map((link) => (link.startsWith('/') ? link.replace(base, '') : posix.join(posix.dirname(path), link)))
        .filter((link) => !existsSync(join(built, link)))
        .map((link) => `${path}: ${link}`),
    );
    expect(dead).toEqual([]);
  });
});
