import { describe, expect, test } from 'vitest';
import { KEY, rowsOf, useConsole, useMock, withoutBrowser } from '../support/console-page.js';

const HOSTILE = '<img src=x onerror="window.owned=1"></script><script>window.owned=1</script>\u001B[31m\u202E';

describe.skipIf(withoutBrowser)('the console, and whoever means it ill', () => {
  const on = useConsole();

  test('nothing of a hostile client runs', async () => {
    await on.post(JSON.stringify({ name: HOSTILE, categoryId: 1 }));
    await on.post(JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 1 }));
    await on.post(JSON.stringify({ [HOSTILE]: HOSTILE }));
    const path = `/v1/${encodeURIComponent(HOSTILE)}?${encodeURIComponent(HOSTILE)}=1`;
    await on.ask(path, { headers: { ...KEY, 'X-Html': '<b>' } });
    const page = await on.open('/__admin');
    await page.getByText('4 exchanges').waitFor();
    for (const option of await rowsOf(page).all()) {
      await option.click();
      await page.locator('.judgement').waitFor();
    }
    await page.goto(`${on.origin}/__admin#collections`);
    await page.getByRole('cell', { name: /<img src=x/ }).waitFor();
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(await page.locator('img').count()).toBe(0);
  });

  test('the token is asked for once in a tab', async () => {
    const guarded = await useMock(on, { adminToken: 'a-token-of-the-admin' });
    const page = await on.open('/__admin');
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('That is not the token.').waitFor();
    await page.getByLabel('Token').fill('a-token-of-the-admin');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('No requests yet').waitFor();
    await page.reload();
    await page.getByText('No requests yet').waitFor();
    expect(await page.getByLabel('Token').count()).toBe(0);
    await guarded.close();
    await page.getByText('The mock does not respond.').waitFor();
    // A refusal and a lost connection are told by the browser, too.
    on.trouble.length = 0;
  });

  test('a thousand exchanges leave the page usable', async () => {
    const page = await on.open('/__admin');
    await page.getByText('No requests yet').waitFor();
    for (let round = 0; round < 20; round += 1)
      await Promise.all(Array.from({ length: 50 }, () => on.ask('/v1/pets?limit=1')));
    await page.getByText('1000 exchanges').waitFor();
    expect(await page.locator('.list .row').count()).toBeLessThan(80);
    await rowsOf(page).first().click();
    await page.getByText('Request and response are valid').waitFor();
  });
});
