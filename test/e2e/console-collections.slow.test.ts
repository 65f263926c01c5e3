import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import {
  clickButton as button,
  findTrouble,
  LOOKS,
  useConsole,
  useMock,
  withoutBrowser,
} from '../support/console-page.js';

describe.skipIf(withoutBrowser)('the collections of the console in a browser', () => {
  const on = useConsole();
  const focused = (page: Page): Promise<unknown> =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
  const waitForFocus = (page: Page, selector: string): Promise<void> => page.locator(`${selector}:focus`).waitFor();
  const tell = (page: Page, text: string): Promise<void> => page.getByRole('status').getByText(text).waitFor();

  const field = (page: Page, name: string): Locator => page.locator(`.editor [name="${name}"]`);

  /** What stands in the first column, row by row. */
  const keysOf = (page: Page): Promise<string[]> => page.locator('tbody tr:not(.gap) td:first-child').allInnerTexts();

  /** Pets 2 and 3 beside pet 1 of the fixtures; newest first. */
  async function addPets(): Promise<void> {
    await on.mock.pets.add({ name: 'Ada', categoryId: 9007199254740993n, status: 'sold' });
    await on.mock.pets.add({ name: 'Bello', categoryId: 2, status: 'pending' });
  }

  test('a record is changed in a form made of its schema, and what is refused stands at its field', async () => {
    await addPets();
    const page = await on.open('/__admin#collections');
    await button(page, 'Edit 2');
    await waitForFocus(page, '[name="name"]');
    expect(await field(page, 'id').getAttribute('readonly')).not.toBeNull();
    expect(await field(page, 'categoryId').inputValue()).toBe('9007199254740993');
    await field(page, 'categoryId').fill('many');
    await button(page, 'Save');
    await waitForFocus(page, '[name="categoryId"][aria-invalid="true"]');
    const told = await field(page, 'categoryId').getAttribute('aria-describedby');
    const [problem = ''] = (told ?? '').split(' ');
    expect(await page.locator(`#${problem}`).innerText()).toMatch(/^Must be an integer/);
    expect(await field(page, 'name').getAttribute('aria-invalid')).toBe('false');
    await field(page, 'categoryId').fill('9223372036854775807');
    await field(page, 'status').selectOption('available');
    await button(page, 'Save');
    await waitForFocus(page, '[data-edit="2"]');
    const ada = { id: 2, name: 'Ada', categoryId: 9223372036854775807n, status: 'available' };
    expect(await on.mock.pets.get(2)).toEqual(ada);
    await button(page, 'Edit 2');
    await field(page, 'status').selectOption('');
    await page.keyboard.press('Escape');
    await waitForFocus(page, '[data-edit="2"]');
    expect(await on.mock.pets.get(2)).toHaveProperty('status', 'available');
    // What the mock refused.
    expect(on.trouble.splice(0)).toEqual([expect.stringContaining('400')]);
  });

  test('one of a few values is changed in the table, by keys too, and the focus stays there', async () => {
    await addPets();
    const page = await on.open('/__admin#collections');
    const status = page.getByLabel('status of 2', { exact: true });
    await status.focus();
    await page.keyboard.press('p');
    await page.getByText('Changed status of pet 2').waitFor();
    expect(await on.mock.pets.get(2)).toMatchObject({ name: 'Ada', status: 'pending' });
    expect(await focused(page)).toBe('status of 2');
    await status.selectOption('');
    await expect.poll(() => on.mock.pets.get(2)).not.toHaveProperty('status');
    // What is refused is told, and the table shows what there is.
    const refused = { code: 'no', message: 'it is sold for good', status: 409 };
    await page.route('**/records/3*', (route) => route.fulfill({ status: 409, json: refused }));
    const other = page.getByLabel('status of 3', { exact: true });
    await other.selectOption('"sold"');
    await page.locator('.notice.is-error', { hasText: 'it is sold for good' }).waitFor();
    await expect.poll(() => other.inputValue()).toBe('"pending"');
    expect(on.trouble.splice(0)).toEqual([expect.stringContaining('409')]);
  });

  test('a new record is made by the same form, and what was written survives a look at the JSON', async () => {
    const page = await on.open('/__admin#collections');
    await button(page, 'New record');
    await field(page, 'name').fill('Max');
    await field(page, 'categoryId').fill('9007199254740993');
    await button(page, 'As JSON');
    const text = page.getByRole('textbox', { name: 'New record' });
    expect(await text.inputValue()).toContain('"categoryId": 9007199254740993');
    await text.fill('{"name": "Max", ');
    await button(page, 'Save');
    await page.getByRole('alert').getByText('This is not JSON').waitFor();
    await text.fill('{"name": "Maxi", "categoryId": 9007199254740993}');
    await button(page, 'As JSON');
    expect(await field(page, 'name').inputValue()).toBe('Maxi');
    await button(page, 'Save');
    await waitForFocus(page, '[data-edit="2"]');
    expect(await on.mock.pets.get(2)).toEqual({ id: 2, name: 'Maxi', categoryId: 9007199254740993n });
  });

  test('a text that is emptied is left out, or sent empty, as one says', async () => {
    const shop = await useMock(on, { spec: packageFile('test/support/tickets.openapi.yaml'), count: 3 });
    const page = await on.open('/__admin#collections');
    const edit = (): Promise<void> =>
      page
        .getByRole('button', { name: /^Edit / })
        .first()
        .click();
    await edit();
    const title = field(page, 'title');
    const tick = page.getByLabel('Send an empty text');
    expect(await tick.count()).toBe(0);
    await title.fill('');
    await tick.check();
    expect(await title.inputValue()).toBe('');
    await button(page, 'Save');
    await page.getByText('Changed ticket').waitFor();
    expect(await shop.collection('tickets').list()).toContainEqual(expect.objectContaining({ title: '' }));
    await edit();
    expect(await tick.isChecked()).toBe(true);
    await title.fill('A leak');
    expect(await tick.count()).toBe(0);
  });

  test('records are sorted by a header with keys alone, and filtered', async () => {
    await addPets();
    const page = await on.open('/__admin#collections');
    await page.getByRole('button', { name: 'Edit 3' }).waitFor();
    const header = page.getByRole('columnheader', { name: 'categoryId' });
    await header.getByRole('button').focus();
    const orders: unknown[] = [];
    for (let press = 0; press < 4; press += 1) {
      orders.push([await header.getAttribute('aria-sort'), (await keysOf(page)).join(' ')]);
      await page.keyboard.press('Enter');
    }
    expect(orders).toEqual([
      ['none', '3 2 1'],
      ['ascending', expect.stringMatching(/ 2$/)],
      ['descending', expect.stringMatching(/^2 /)],
      ['none', '3 2 1'],
    ]);
    await page.getByRole('search').getByLabel('status').selectOption('pending');
    expect(await keysOf(page)).toEqual(['3']);
  });

  test('a record that was removed comes back to its place, and the focus never falls to the page', async () => {
    await addPets();
    const before = await on.mock.pets.list();
    const page = await on.open('/__admin#collections');
    await button(page, 'Remove 2');
    await tell(page, 'Removed pet 2.');
    await waitForFocus(page, '#undo');
    expect(await on.mock.pets.count()).toBe(2);
    // What is done since stays.
    await on.mock.pets.add({ name: 'Carl', categoryId: 1 });
    await page.keyboard.press('Enter');
    await waitForFocus(page, '[data-edit="2"]');
    await page.getByText('Undo', { exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => on.mock.pets.list()).toEqual([{ id: 4, name: 'Carl', categoryId: 1 }, ...before]);
    await button(page, 'Remove 2');
    await waitForFocus(page, '#undo');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#undo').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('New record');
  });

  test('a reset is what it says, and is undone as the load and the end of a snapshot are', async () => {
    await addPets();
    await on.mock.faults.add({ operationId: 'getPet', effect: { status: 503 } });
    const page = await on.open('/__admin#collections');
    await page.getByText('The start state is', { exact: false }).getByText('1 pet').waitFor();
    await button(page, 'Reset to the start');
    await tell(page, 'The records are reset to the start state: 1 pet.');
    expect([await on.mock.pets.count(), await on.mock.faults.list()]).toEqual([1, [expect.anything()]]);
    await button(page, 'Undo');
    await page.locator('#undo').waitFor({ state: 'detached' });
    await expect.poll(() => on.mock.pets.count()).toBe(3);
    await page.getByLabel('Name', { exact: true }).fill('three');
    await button(page, 'Save snapshot');
    await page.getByRole('button', { name: 'Load three' }).waitFor();
    await on.mock.pets.clear();
    await button(page, 'Load three');
    await page.getByRole('button', { name: 'Edit 3' }).waitFor();
    await button(page, 'Undo');
    await page.getByText('There are no pets').waitFor();
    await button(page, 'Delete three');
    await waitForFocus(page, '#undo');
    await page.keyboard.press('Enter');
    await waitForFocus(page, '[data-load="three"]');
    await on.mock.snapshots.restore('three');
    expect(await on.mock.pets.count()).toBe(3);
  });

  test('of a thousand records those in view are in the page, and all are found and reached', async () => {
    await on.mock.useFixtures('default', { count: 1000 });
    const page = await on.open('/__admin#collections');
    await page.getByRole('button', { name: 'Edit 1000' }).waitFor();
    expect((await keysOf(page)).length).toBeLessThan(100);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('1001');
    await page.evaluate('document.querySelector(".scroll").scrollTop = 1e6');
    await page.getByRole('button', { name: 'Edit 1', exact: true }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'name' }).isVisible()).toBe(true);
    await page.getByRole('columnheader', { name: 'id', exact: true }).getByRole('button').click();
    await page.evaluate('document.querySelector(".scroll").scrollTop = 0');
    await page.getByRole('button', { name: 'Edit 1', exact: true }).waitFor();
    expect((await keysOf(page))[0]).toBe('1');
  });

  test.each(LOOKS)('axe finds nothing while one works, and the actions stay in view: %j', async (look) => {
    await useMock(on, { spec: packageFile('test/server/console/shop.openapi.yaml'), count: 30 });
    const page = await on.open('/__admin#collections', look);
    await page.getByRole('button', { name: 'Edit 30' }).waitFor();
    // On a phone the form of a record has the button that removes it.
    const isNarrow = look.viewport.width < 700;
    const box = await page.getByRole('button', { name: `${isNarrow ? 'Edit' : 'Remove'} 30` }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(look.viewport.width);
    await button(page, 'Edit 30');
    await field(page, 'email').fill('');
    await button(page, 'Save');
    await page.locator('[aria-invalid="true"]').waitFor();
    expect(await findTrouble(page)).toEqual([]);
    await button(page, 'As JSON');
    expect(await findTrouble(page)).toEqual([]);
    if (isNarrow) await button(page, 'Remove this record');
    else {
      await button(page, 'Cancel');
      await button(page, 'Remove 30');
    }
    await page.locator('#undo').waitFor();
    expect(await findTrouble(page)).toEqual([]);
    // What the mock refused.
    on.trouble.length = 0;
  });
});
