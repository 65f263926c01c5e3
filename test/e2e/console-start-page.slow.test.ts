import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startPetstoreMock } from '../../src/index.js';
import { makeFolder } from '../support/folder.js';
import { useConsole, withoutBrowser } from '../support/console-page.js';

/** A document with as many operations, which only their numbers tell apart. */
function writeDocument(count: number): string {
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `/reports/r${index}`,
      { get: { operationId: `getReport${index}`, responses: { 204: { description: 'Fine.' } } } },
    ]),
  );
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Reports', version: '1' }, paths });
  return join(makeFolder({ 'reports.json': text }), 'reports.json');
}

describe.skipIf(withoutBrowser)('a large document', () => {
  const on = useConsole();

  async function withReports(path: string, work: (page: Page, asked: string[]) => Promise<void>): Promise<void> {
    const reports = await startPetstoreMock({ spec: writeDocument(400) });
    on.origin = new URL(reports.url).origin;
    const page = await on.open(path);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/examples?')) asked.push(request.url());
    });
    try {
      await work(page, asked);
    } finally {
      await page.close();
      await reports.close();
    }
  }

  test('the start page lists every operation, and makes the commands of those that are looked at', async () => {
    await withReports('/', async (page, asked) => {
      const card = (index: number) => page.getByRole('region', { name: `getReport${index}`, exact: true });
      await card(0).getByText('/reports/r0').nth(1).waitFor();
      expect(await page.locator('section.card').count()).toBe(400);
      await page.goto(`${on.origin}/#operations`);
      await card(399).scrollIntoViewIfNeeded();
      await card(399).getByText(`curl ${on.origin}/reports/r399`).waitFor();
      // What nobody looked at was not made.
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.length).toBeLessThan(10);
      expect(await card(200).getByText('Loading…').count()).toBe(1);
    });
  });

  test('Send lists every operation too, some at a time, and the focus goes to the first that came', async () => {
    await withReports('/__admin#send', async (page) => {
      await page.getByText('400 operations').waitFor();
      const links = page.locator('.operations a');
      expect(await links.count()).toBe(200);
      await page.getByRole('button', { name: 'Show the other 200' }).press('Enter');
      await page.locator('.operations a:focus', { hasText: '/reports/r200' }).waitFor();
      expect(await links.count()).toBe(400);
      expect(await page.getByRole('button', { name: /^Show/ }).count()).toBe(0);
      await page.getByLabel('Search operations').fill('getReport39');
      await page.getByText('11 of 400 operations').waitFor();
      await page.getByLabel('Search operations').fill('');
      await page.getByRole('button', { name: 'Show the other 200' }).waitFor();
    });
  });
});
