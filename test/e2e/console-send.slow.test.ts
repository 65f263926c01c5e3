import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  clickButton as press,
  findTrouble,
  LOOKS,
  rowsOf,
  useConsole,
  withoutBrowser,
} from '../support/console-page.js';

describe.skipIf(withoutBrowser)('requests that are sent from the console', () => {
  const on = useConsole();

  const came = (page: Page, text: string): Promise<void> =>
    page.locator('.came', { hasText: text }).waitFor({ state: 'visible' });
  const target = async (page: Page, text: string): Promise<void> =>
    page.locator('form .line', { hasText: text }).waitFor();

  test('an operation is found, filled in and sent, and the focus stays where one sends', async () => {
    const page = await on.open('/');
    await page.getByRole('link', { name: 'Send listPets from the console' }).click();
    await page.getByRole('heading', { name: 'listPets' }).waitFor();
    await page.getByLabel('Search operations').fill('list');
    await page.getByText('1 of 3 operations').waitFor();
    await page.getByLabel(/^limit/).fill('1');
    await page.getByLabel(/^status/).selectOption('sold');
    await target(page, '/v1/pets?limit=1&status=sold');
    await press(page, 'Send');
    await came(page, '200 OK');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Send');
    expect(await on.mock.requests.list()).toMatchObject([
      { url: '/v1/pets?limit=1&status=sold', operationId: 'listPets', status: 200 },
    ]);
    await page.getByRole('link', { name: /^Exchange \d+ in the journal/ }).click();
    await page.getByText('Request and response are valid').waitFor();
    await page.goBack();
    expect(await page.getByLabel(/^limit/).inputValue()).toBe('1');
  });

  test('a link that is followed while an address is about to be written leads to its panel', async () => {
    const page = await on.open('/__admin#send/listPets');
    await page.getByLabel(/^limit/).waitFor();
    await page.evaluate(`{
      const real = window.setTimeout;
      window.late = [];
      window.setTimeout = (run, ms) => (ms === 300 ? late.push(run) : real(run, ms));
    }`);
    await page.getByLabel(/^limit/).fill('1');
    const runLate = "location.hash = '#exchanges'; late.map((run) => run()).length";
    expect(await page.evaluate(runLate)).toBe(1);
    await page.getByText('No requests yet').waitFor();
    expect(new URL(page.url()).hash).toBe('#exchanges');
  });

  test('what is wrong shows at its field, before the request and after it', async () => {
    const page = await on.open('/__admin#send/getPet');
    expect(await page.getByLabel(/^petId/).inputValue()).toBe('1');
    await page.getByLabel(/^petId/).fill('');
    await press(page, 'Send');
    await page.getByText('The contract requires it.').waitFor();
    await page.locator('[id="field-path/petId"]:focus').waitFor();
    expect(await on.mock.requests.count()).toBe(0);
    await press(page, 'Send anyway');
    await came(page, '404 Not Found');
    await page.goto(`${on.origin}/__admin#send/listPets`);
    await page.getByLabel(/^limit/).fill('500');
    await press(page, 'Send');
    await came(page, '400 Bad Request');
    await page.locator('.field .mark', { hasText: 'query/limit must be at most 100' }).waitFor();
  });

  test('a body is written with the words of the contract, and what breaks it is told with its line', async () => {
    const page = await on.open('/__admin#send/createPet');
    const body = page.getByRole('textbox', { name: /^Body/ });
    await body.fill('{\n  "name": "Rex",\n  "categoryId": 9007199254740993,\n  ');
    await page.getByRole('button', { name: /^status/ }).waitFor();
    await body.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'sold' }).click();
    await body.press('End');
    await body.pressSequentially(' }');
    const written = '{\n  "name": "Rex",\n  "categoryId": 9007199254740993,\n  "status": "sold" }';
    expect(await body.inputValue()).toBe(written);
    await press(page, 'Send');
    await came(page, '201 Created');
    await page.locator('.half .body', { hasText: '9007199254740993' }).first().waitFor();
    await body.fill('{\n  "name": "Rex",\n  "categoryId": 1,\n  "status": "gone"\n}');
    await body.press('Control+Enter');
    await page.locator('.field .mark', { hasText: 'Line 4: body/status must be one of' }).waitFor();
    await page.locator('.violation .is-meant', { hasText: 'enum: [available, pending, sold]' }).waitFor();
    await body.fill('{');
    await press(page, 'Send');
    await page.getByText(/^This is not JSON/).waitFor();
    await press(page, 'Send anyway');
    await page.getByText(/^This is not JSON/).waitFor({ state: 'detached' });
    // The page lets go of what it said before the request has come.
    await expect.poll(async () => (await on.mock.requests.list()).map(({ status }) => status)).toEqual([201, 400, 400]);
  });

  test('a request goes without credentials, and to the world that is chosen', async () => {
    await on.ask('/worlds/w1/v1/pets');
    const page = await on.open('/__admin#send/listPets');
    await page.getByLabel('Send them').uncheck();
    await press(page, 'Send');
    await came(page, '401 Unauthorized');
    await page.getByLabel('World').selectOption('w1');
    await page.getByLabel('Send them').check();
    await press(page, 'Send');
    await came(page, '200 OK');
    await page.getByText('As code').click();
    await page.getByText(/curl.*X-Petstore-World: w1.*petstore|curl.*X-Petstore-World: w1/).waitFor();
    expect((await on.mock.world('w1').requests.list()).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('an exchange is edited and sent again, with the key that the page never sees', async () => {
    await on.post('{"name":"Rex","status":"gone"}');
    const page = await on.open('/__admin');
    await rowsOf(page).click();
    await press(page, 'Edit and send again');
    await page.getByText('The mock fills in what is [redacted]').waitFor();
    expect(await page.getByLabel('Target').inputValue()).toBe('/v1/pets');
    await page.getByText('As code').click();
    await page.getByLabel('curl', { exact: true }).getByText('Bearer petstore-dev-key').waitFor();
    await page.getByRole('textbox', { name: 'Body' }).fill('{"name":"Rex","categoryId":7}');
    await press(page, 'Send');
    await came(page, '201 Created');
    expect(await on.mock.pets.get(2)).toMatchObject({ name: 'Rex', categoryId: 7 });
    await page.getByLabel('Target').fill('no target');
    await press(page, 'Send');
    await page.getByText('the target begins with /').waitFor();
    // What the mock refused.
    on.trouble.length = 0;
  });

  test.each(LOOKS)('axe finds nothing, and nothing is wider than the screen: %j', async (look) => {
    await on.post('{"name":"Rex","status":"gone"}');
    const page = await on.open('/__admin#send', look);
    await page.getByText('3 operations').waitFor();
    expect(await findTrouble(page)).toEqual([]);
    await page.getByRole('link', { name: /POST.*pets/ }).click();
    await page.getByRole('heading', { name: 'createPet' }).waitFor();
    await page.locator('h2:focus', { hasText: 'createPet' }).waitFor();
    await page.getByRole('textbox', { name: /^Body/ }).fill('{ ');
    await page.getByRole('button', { name: /^status/ }).waitFor();
    await press(page, 'Send');
    await page.getByText(/^This is not JSON/).waitFor();
    expect(await findTrouble(page)).toEqual([]);
    await press(page, 'Send anyway');
    await came(page, '400');
    await page.getByText('As code').click();
    expect(await findTrouble(page)).toEqual([]);
    await page.goto(`${on.origin}/__admin#exchanges`);
    await rowsOf(page).last().click();
    await press(page, 'Edit and send again');
    await page.getByLabel('Target').waitFor();
    expect(await findTrouble(page)).toEqual([]);
  });
});
