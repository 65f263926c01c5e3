import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startPetstoreMock } from '../../src/index.js';
import { findTrouble, LOOKS, rowsOf, useConsole, withoutBrowser } from '../support/console-page.js';

describe.skipIf(withoutBrowser)('the exchanges in a browser', () => {
  const on = useConsole();

  const press = (page: Page, name: string | RegExp): Promise<void> => page.getByRole('button', { name }).press('Enter');

  /** The focus is, or soon will be, at what is called so. */
  async function expectFocus(page: Page, wanted: string): Promise<void> {
    const name = () => page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
    await expect.poll(name).toMatch(new RegExp(`^${wanted}`));
  }

  test.each(LOOKS)('the row of a refused exchange says why, and two are compared: %j', async (look) => {
    await on.post('{"name":"Rex","categoryId":1}');
    await on.post('{"name":"Rex"}');
    const page = await on.open('/__admin', look);
    await rowsOf(page).filter({ hasText: 'client at fault' }).getByText('body/categoryId is required').waitFor();
    expect(await findTrouble(page)).toEqual([]);
    await rowsOf(page).filter({ hasText: 'client at fault' }).click();
    await press(page, 'Compare with…');
    const part = (name: string): Promise<string | null> =>
      page.getByRole('group', { name: `Differences: ${name}` }).textContent();
    await page.getByText('The same in both: request').waitFor();
    expect((await part('Status'))?.trim().split('\n')).toEqual(['− 400', '+ 201']);
    expect(await part('Body of the request')).toMatch(/^ +\{\n +"name": "Rex"\n\+ +"categoryId": 1\n +\}/);
    expect(await part('Header fields of the response')).toContain('+ location: /v1/pets/2');
    expect(await findTrouble(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'createPet' }).waitFor();
    expect(await page.evaluate('document.activeElement === document.body')).toBe(false);
  });

  test('exchanges are found by what their bodies and header fields say, also those that come later', async () => {
    await on.post('{"name":"Rex Whiskers","categoryId":1}');
    await on.ask('/v1/pets/1', { headers: { 'X-Trace': 'whiskers-17' } });
    await on.ask('/v1/pets/9');
    const page = await on.open('/__admin');
    await page.getByText('3 exchanges', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('WHISKERS');
    await page.getByText('2 of 3 exchanges', { exact: true }).waitFor();
    await on.ask('/v1/pets/2');
    await page.getByText('3 of 4 exchanges', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('"categoryId": 1, "name": "nobody"');
    await page.getByText('No exchange matches the filter').waitFor();
    await press(page, 'Clear the filter');
    await page.getByText('4 exchanges', { exact: true }).waitFor();
    expect(await rowsOf(page).count()).toBe(4);
    await expectFocus(page, 'Search in paths');
  });

  test('the focus stays near what was done', async () => {
    await on.ask('/v1/pets');
    for (const status of [501, 502, 503]) await on.mock.faults.add({ effect: { status } });
    const page = await on.open('/__admin#behaviour');
    await press(page, 'Remove fault-2');
    await expectFocus(page, 'Remove fault-3');
    await press(page, 'Remove fault-3');
    await expectFocus(page, 'Remove fault-1');
    await press(page, 'Remove all faults');
    await expectFocus(page, 'every operation');
    await on.mock.delay.set(5);
    await page.reload();
    await press(page, 'Remove the delay');
    await expectFocus(page, 'Reset the delay');
    await on.mock.world('w1').requests.count();
    await on.mock.world('w2').requests.count();
    await press(page, 'Remove w1');
    await expectFocus(page, 'Remove w2');
    await press(page, 'Show w2');
    await expectFocus(page, 'Remove w2');
    await press(page, 'Remove w2');
    // Nothing is left in the list that could have it.
    const isField = () => page.evaluate('document.activeElement.matches("section:has(#worlds) input")');
    await expect.poll(isField).toBe(true);
    expect(await on.mock.worlds()).toEqual(['default']);
  });

  test('a world that is removed does not come back by what the page still asks of it', async () => {
    await on.mock.world('w1').requests.count();
    await on.mock.world('w2').requests.count();
    const page = await on.open('/__admin#behaviour');
    const held: (() => Promise<void>)[] = [];
    const reads = /__admin\/[a-z]+\?world=w[12]$/;
    let isHolding = true;
    await page.route(reads, async (route) => {
      if (isHolding) held.push(() => route.continue());
      else await route.continue();
    });
    const release = async (): Promise<void> => {
      isHolding = false;
      for (const each of held.splice(0)) await each();
    };
    const hasAsked = async (): Promise<void> => {
      await expect.poll(() => held.length).toBeGreaterThan(1);
    };
    await press(page, 'Show w1');
    await hasAsked();
    await press(page, 'Remove w1');
    await release();
    await page.getByText('The world w1 is removed').waitFor();
    expect(await on.mock.worlds()).toEqual(['default', 'w2']);
    expect(on.trouble).toEqual([]);
    isHolding = true;
    await press(page, 'Show w2');
    await hasAsked();
    await on.mock.world('w2').drop();
    const late = page.waitForResponse(reads);
    await release();
    expect((await late).status()).toBe(412);
    await page.getByText('The world w2 no longer exists; this is the default world').waitFor();
    await expect.poll(() => page.getByRole('banner').getByRole('combobox').inputValue()).toBe('default');
    expect(await on.mock.worlds()).toEqual(['default']);
    expect(on.trouble.splice(0).join('\n')).toContain('412');
  });

  test('the focus goes back to what opened a form', async () => {
    await on.ask('/v1/pets');
    const page = await on.open('/__admin');
    await rowsOf(page).click();
    await press(page, 'Respond to this with…');
    await page.getByLabel('Status', { exact: true }).last().focus();
    await press(page, 'Use this response');
    await expectFocus(page, 'Respond to this with…');
    await press(page, 'Close');
    await expectFocus(page, 'Exchanges, newest first');
    const panel = page.getByRole('region', { name: 'Exchange', exact: true });
    await expect.poll(() => panel.count()).toBe(0);
  });

  test('a mock that is gone and comes back is told of, and its panels load again', async () => {
    const port = Number(new URL(on.origin).port);
    const page = await on.open('/__admin#behaviour');
    await page.getByText('No faults.').waitFor();
    await on.mock.close();
    await page.getByText('The mock does not respond. Is it still running? This page').waitFor();
    on.mock = await startPetstoreMock({ fixtures: 'one', port });
    await on.mock.faults.add({ effect: { status: 502 } });
    await page.getByText('responds with 502').waitFor();
    await page.getByText('This page connects again').waitFor({ state: 'detached' });
    // A panel that is still loading shows until then why it could not.
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    // What the browser could not reach.
    on.trouble.length = 0;
  });

  test('a panel says that it loads, why it cannot, and tries again', async () => {
    const page = await on.open('/__admin');
    let isBroken = true;
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/__admin/profile*', async (route) => {
      if (!isBroken) return route.continue();
      await held;
      await route.fulfill({ status: 500, body: '{"message":"out of order"}' });
    });
    await page.getByRole('link', { name: 'Behaviour' }).click();
    const profile = page.locator('section', { has: page.getByRole('heading', { name: 'Profile' }) });
    await profile.getByText('Loading…').waitFor();
    expect(await profile.getByText('every choice is the default').count()).toBe(0);
    letGo();
    await profile.getByText('out of order').waitFor();
    isBroken = false;
    await profile.getByRole('button', { name: 'Try again' }).press('Enter');
    await profile.getByText('every choice is the default').waitFor();
    expect(await page.evaluate('document.activeElement === document.body')).toBe(false);
    // What the browser says of the broken call.
    on.trouble.length = 0;
  });
});
