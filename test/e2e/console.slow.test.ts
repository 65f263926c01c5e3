import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startPetstoreMock } from '../../src/index.js';
import { packageFile } from '../../src/package-files.js';
import { rowsOf, useConsole, withoutBrowser } from '../support/console-page.js';

describe.skipIf(withoutBrowser)('the console in a browser', () => {
  const on = useConsole();

  async function findAxeProblems(page: Page): Promise<string[]> {
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
  }

  const looks = [360, 1280].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, viewport: { width, height: 800 } })),
  );

  test.each(looks)('axe finds nothing in any panel, and none is wider than the screen: %j', async (look) => {
    await on.mock.faults.add({ operationId: 'getPet', effect: { status: 503 } });
    await on.mock.delay.set(1);
    await on.mock.snapshots.save('before');
    await on.ask('/v1/pets?limit=2');
    await on.post('{"name":"Rex","status":"gone"}');
    const page = await on.open('/', look);
    const check = async (): Promise<void> => {
      expect(await findAxeProblems(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      // Nor does anything stick out of its form, or the name of a panel out of the screen.
      const out =
        '[...document.querySelectorAll(".top nav, .fields-row")].filter((each) => each.scrollWidth > each.clientWidth)';
      expect(await page.evaluate(`${out}.map((each) => each.textContent)`)).toEqual([]);
    };
    await page.getByRole('heading', { name: /^A mock of Petstore/ }).waitFor();
    await check();
    await page.goto(`${on.origin}/__admin`);
    await rowsOf(page).first().waitFor();
    await check();
    await rowsOf(page).first().click();
    await page.getByRole('button', { name: 'Respond to this with' }).click();
    await check();
    await page.getByLabel('Kind of fault').last().selectOption('answer');
    await check();
    for (const [panel, text] of [
      ['collections', 'Snapshots'],
      ['behaviour', 'Profile'],
      ['coverage', 'listPets'],
    ] as const) {
      await page.goto(`${on.origin}/__admin#${panel}`);
      await page.getByRole('heading', { name: text }).first().waitFor();
      for (const each of await page.getByText('As code').all()) await each.click();
      await check();
    }
  });

  test('an exchange shows as it comes, with what is wrong at its place and the line of the contract', async () => {
    const page = await on.open('/__admin');
    await page.getByText('No requests yet').waitFor();
    await on.post('{"name":"Rex","status":"gone"}');
    await rowsOf(page)
      .filter({ hasText: /POST.*400.*client at fault/ })
      .click();
    await page.getByText('The client is at fault').waitFor();
    expect(await page.locator('.violation .is-meant').allInnerTexts()).toEqual([
      expect.stringContaining('required: [name, categoryId]'),
      expect.stringContaining('enum: [available, pending, sold]'),
    ]);
    const marked = await page.locator('.body .is-marked').allInnerTexts();
    expect(marked.join('')).toContain('"status": "gone"  ← body/status must be one of');
  });

  test('an exchange is sent again, and the next one like it is answered otherwise', async () => {
    await on.ask('/v1/pets?limit=1');
    const page = await on.open('/__admin');
    await rowsOf(page).click();
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await page.getByText('2 exchanges').waitFor();
    await page.getByRole('button', { name: 'Respond to this with' }).click();
    await page.getByLabel('Status', { exact: true }).last().fill('503');
    await page.getByRole('button', { name: 'Use this response' }).click();
    await page.getByText('The next request like this gets this response').waitFor();
    expect([(await on.ask('/v1/pets?limit=2')).status, (await on.ask('/v1/pets?limit=1')).status]).toEqual([200, 503]);
  });

  test('an answer of one’s own is checked against the contract, and sent as it is written', async () => {
    await on.ask('/v1/pets?limit=1');
    const page = await on.open('/__admin');
    await rowsOf(page).click();
    await page.getByRole('button', { name: 'Respond to this with' }).click();
    await page.getByLabel('Kind of fault').last().selectOption('answer');
    const body = page.getByLabel('Body', { exact: true }).last();
    expect(JSON.parse(await body.inputValue())).toHaveLength(1);
    await body.fill('[{"id":9007199254740993,"name":"Rex"}]');
    await page.getByLabel('Header fields').last().fill('X-Why: a test');
    await page.getByRole('button', { name: 'Use this response' }).click();
    await page.getByText(/body\/0\/categoryId is required/).waitFor();
    // The browser says so too.
    expect(on.trouble.splice(0)).toEqual([expect.stringContaining('400')]);
    await page.getByLabel('Send it although').last().check();
    await page.getByRole('button', { name: 'Use this response' }).click();
    await page.getByText('The next request like this gets this response').waitFor();
    const answer = await on.ask('/v1/pets?limit=1');
    expect([answer.status, answer.headers.get('x-why'), await answer.text()]).toEqual([
      200,
      'a test',
      '[{"id":9007199254740993,"name":"Rex"}]',
    ]);
    await page.goto(`${on.origin}/__admin#behaviour`);
    await page.getByText('responds with 200 and your body, although it breaks the contract').waitFor();
  });

  test('what is copied works', async () => {
    await on.post('{"name":"it\'s","categoryId":9007199254740993}');
    const page = await on.open('/__admin', { permissions: ['clipboard-read', 'clipboard-write'] });
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
    await on.ask('/v1/pets');
    await on.ask('/v1/pets/7');
    await on.ask('/pets');
    const page = await on.open('/__admin');
    const shown = async (): Promise<number> => rowsOf(page).count();
    await page.getByText('3 exchanges', { exact: true }).waitFor();
    await page.getByLabel('Verdict').selectOption('client');
    expect(await shown()).toBe(1);
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByLabel('Operation').selectOption('getPet');
    expect(await shown()).toBe(1);
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByLabel('Search in paths').fill('nowhere');
    await page.getByText('No exchange matches the filter').waitFor();
  });

  test('keys alone are enough', async () => {
    await on.ask('/v1/pets');
    await on.ask('/v1/pets/1');
    const page = await on.open('/__admin');
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
    const page = await on.open('/__admin#collections');
    await page.getByRole('button', { name: 'Save snapshot' }).waitFor();
    await page.getByLabel('Name').fill('before');
    await page.getByRole('button', { name: 'Save snapshot' }).click();
    await page.getByRole('button', { name: 'Load before' }).waitFor();
    await page.getByRole('button', { name: 'New record' }).click();
    await page.getByRole('button', { name: 'As JSON' }).click();
    await page.getByRole('textbox', { name: 'New record' }).fill('{"name":"Rex","categoryId":9007199254740993}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: '9007199254740993' }).waitFor();
    expect(await on.mock.pets.get(2)).toMatchObject({ categoryId: 9007199254740993n });
    await page.getByRole('button', { name: 'Edit 2' }).click();
    await page.getByRole('button', { name: 'As JSON' }).click();
    await page.getByLabel('Record', { exact: true }).fill('{"id":2,"name":"Max","categoryId":1}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: 'Max' }).waitFor();
    await page.getByRole('row', { name: /Max.* client / }).waitFor();
    await page.getByRole('row', { name: / fixtures / }).waitFor();
    await page.getByRole('button', { name: 'Remove 1' }).click();
    await page.getByRole('button', { name: 'Remove 1' }).waitFor({ state: 'detached' });
    expect(await on.mock.pets.list()).toEqual([{ id: 2, name: 'Max', categoryId: 1 }]);
    await page.getByRole('button', { name: 'Load before' }).click();
    await page.getByRole('button', { name: 'Remove 1' }).waitFor();
    await page.getByRole('combobox', { name: 'Data set' }).selectOption('empty');
    await page.getByRole('button', { name: 'Use as the start' }).click();
    await page.getByText(/^There are no|is empty/).waitFor();
    await page.getByRole('button', { name: 'New record' }).click();
    await page.getByRole('button', { name: 'As JSON' }).click();
    await page.getByRole('textbox', { name: 'New record' }).fill('{"name":1}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('categoryId is required').waitFor();
    await page.getByText('Export', { exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'All records as a data set' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('default.yaml');
    // What the mock refused.
    on.trouble.length = 0;
  });

  test('what belongs to a record is reached from it, and a field is taken out of one', async () => {
    const shop = await startPetstoreMock({ spec: packageFile('test/server/console/shop.openapi.yaml'), count: 3 });
    on.origin = new URL(shop.url).origin;
    await shop.collection('users').update(2, { email: 'ada@example.com', role: 'admin' });
    const page = await on.open('/__admin#collections');
    await page.getByRole('button', { name: 'Edit 2' }).click();
    await page.getByRole('button', { name: 'As JSON' }).click();
    await page.getByLabel('Record', { exact: true }).fill('{"id":2,"email":"ada@example.com"}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Changed user 2', { exact: true }).waitFor();
    expect(await shop.collection('users').get(2)).toEqual({ id: 2, email: 'ada@example.com' });
    await page.getByRole('button', { name: 'orders of 2' }).click();
    await page.getByRole('heading', { name: 'orders · 2' }).waitFor();
    await page.getByRole('button', { name: 'New record' }).click();
    await page.getByRole('button', { name: 'As JSON' }).click();
    await page.getByRole('textbox', { name: 'New record' }).fill('{"quantity":7}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('row', { name: / 7 .*client/ }).waitFor();
    expect(await shop.collection('orders', { within: [2] }).list({ quantity: 7 })).toHaveLength(1);
    await page.getByLabel('userId').fill('9');
    await page
      .getByText(/user.* 9|9.*user/i)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Back to users' }).click();
    await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
    await page.close();
    await shop.close();
    // What the mock refused.
    on.trouble.length = 0;
  });

  test('faults, delay, clock, worlds and profile are set and cleared', async () => {
    const page = await on.open('/__admin#behaviour');
    const faults = page.locator('section', { has: page.getByRole('heading', { name: 'Fault injection' }) });
    await faults.getByLabel('Status', { exact: true }).fill('504');
    await faults.getByRole('button', { name: 'Add the fault' }).click();
    await faults.getByText('responds with 504').waitFor();
    expect((await on.ask('/v1/pets')).status).toBe(504);
    await faults.getByRole('button', { name: 'Remove all faults' }).click();
    await faults.getByText('No faults.').waitFor();
    const delay = page.locator('section', { has: page.getByRole('heading', { name: 'Delay' }) });
    await delay.getByLabel('From, ms').fill('1');
    await delay.getByLabel('To, ms').fill('2');
    await delay.getByRole('button', { name: 'Delay every request' }).click();
    await delay.getByText('Every request waits 1 to 2 ms.').waitFor();
    await delay.getByRole('button', { name: 'Remove the delay' }).click();
    await delay.getByText('No delay.').waitFor();
    const clock = page.locator('section', { has: page.getByRole('heading', { name: 'Clock' }) });
    await clock.getByRole('button', { name: 'Set the date' }).click();
    await clock.locator('time', { hasText: '2030-12-05' }).waitFor();
    await clock.getByRole('button', { name: 'Reset the clock' }).click();
    await clock.locator('time', { hasText: '2030-12-05' }).waitFor({ state: 'detached' });
    await page.getByRole('group').getByText('listPets', { exact: true }).click();
    await page.locator('#gap-list-order').selectOption('oldest-first');
    await page.getByText(/1 of \d+ choices changed/).waitFor();
    expect((await on.mock.profile.get()).choices['list-order']).toBe('oldest-first');
    const worlds = page.locator('section', { has: page.getByRole('heading', { name: 'Worlds' }) });
    await worlds.getByLabel('Name').fill('w1');
    await worlds.getByRole('button', { name: 'Add the world' }).click();
    await worlds.getByRole('button', { name: 'Show w1' }).click();
    expect(await page.locator('.world select').inputValue()).toBe('w1');
    await worlds.getByRole('button', { name: 'Remove w1' }).click();
    await worlds.getByRole('button', { name: 'Remove w1' }).waitFor({ state: 'detached' });
    expect(await on.mock.worlds()).toEqual(['default']);
  });

  test('the coverage grows with what is sent', async () => {
    const page = await on.open('/__admin#coverage');
    await page.getByRole('heading', { name: /^0 of \d+/ }).waitFor();
    await on.ask('/v1/pets?status=sold');
    await page.locator('.is-seen', { hasText: 'query/status = "sold"' }).waitFor();
    expect(await page.locator('.is-seen').count()).toBe((await on.mock.coverage()).covered);
  });
});
