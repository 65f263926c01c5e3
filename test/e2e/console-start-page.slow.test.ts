import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { makeFile } from '../support/folder.js';
import { useConsole, useMock, withoutBrowser } from '../support/console-page.js';

/** A document with as many operations, which only their numbers tell apart. */
function writeDocument(count: number): string {
  const responses = { 204: { description: 'Fine.' } };
  const get = (index: number) =>
    [`/reports/r${index}`, { get: { operationId: `getReport${index}`, responses } }] as const;
  const paths = Object.fromEntries(Array.from({ length: count }, (_, index) => get(index)));
  return makeFile(
    'reports.json',
    JSON.stringify({ openapi: '3.1.0', info: { title: 'Reports', version: '1' }, paths }),
  );
}

describe.skipIf(withoutBrowser)('a large document', () => {
  const on = useConsole();

  async function openReports(path: string): Promise<{ page: Page; asked: string[] }> {
    await useMock(on, { spec: writeDocument(400) });
    const page = await on.open(path);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/examples?')) asked.push(request.url());
    });
    return { page, asked };
  }

  test('the start page lists every operation, and makes the commands of those that are looked at', async () => {
    const { page, asked } = await openReports('/');
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

  test('Send lists every operation too, some at a time, and the focus goes to the first that came', async () => {
    const { page } = await openReports('/__admin#send');
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
