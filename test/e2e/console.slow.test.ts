import { describe, expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';
import {
  clickButton,
  findTrouble,
  LOOKS,
  rowsOf,
  useConsole,
  useMock,
  withoutBrowser,
} from '../support/console-page.js';

describe.skipIf(withoutBrowser)('the console in a browser', () => {
  const on = useConsole();

  test.each(LOOKS)('axe finds nothing in any panel, and none is wider than the screen: %j', async (look) => {
    await on.mock.faults.add({ operationId: 'getPet', effect: { status: 503 } });
    await on.mock.delay.set(1);
    await on.mock.snapshots.save('before');
    await on.ask('/v1/pets?limit=2');
    await on.post('{"name":"Rex","status":"gone"}');
    const page = await on.open('/', look);
    const check = async (): Promise<void> => expect(await findTrouble(page)).toEqual([]);
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
    const [required, choice] = await page.locator('.violation .is-meant').allInnerTexts();
    expect(required).toContain('required: [name, categoryId]');
    expect(choice).toContain('enum: [available, pending, sold]');
    const marked = await page.locator('.body .is-marked').allInnerTexts();
    expect(marked.join('')).toContain('"status": "gone"  ← body/status must be one of');
    await clickButton(page, 'Send again');
    await page.getByText('2 exchanges').waitFor();
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
    const told = [answer.status, answer.headers.get('x-why'), await answer.text()];
    expect(told).toEqual([200, 'a test', '[{"id":9007199254740993,"name":"Rex"}]']);
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

  test('all records are exported as a data set', async () => {
    const page = await on.open('/__admin#collections');
    await page.getByText('Export', { exact: true }).click();
    const saved = page.waitForEvent('download');
    const [download] = await Promise.all([saved, clickButton(page, 'All records as a data set')]);
    expect(download.suggestedFilename()).toBe('default.yaml');
  });

  test('what belongs to a record is reached from it, and a field is taken out of one', async () => {
    const shop = await useMock(on, { spec: packageFile('test/server/console/shop.openapi.yaml'), count: 3 });
    await shop.collection('users').update(2, { email: 'ada@example.com', role: 'admin' });
    const page = await on.open('/__admin#collections');
    const writeAs = async (press: string, label: string, text: string): Promise<void> => {
      await clickButton(page, press);
      await clickButton(page, 'As JSON');
      await page.getByRole('textbox', { name: label, exact: true }).fill(text);
      await clickButton(page, 'Save');
    };
    await writeAs('Edit 2', 'Record', '{"id":2,"email":"ada@example.com"}');
    await page.getByText('Changed user 2', { exact: true }).waitFor();
    expect(await shop.collection('users').get(2)).toEqual({ id: 2, email: 'ada@example.com' });
    await clickButton(page, 'orders of 2');
    await page.getByRole('heading', { name: 'orders · 2' }).waitFor();
    await writeAs('New record', 'New record', '{"quantity":7}');
    await page.getByRole('row', { name: / 7 .*client/ }).waitFor();
    expect(await shop.collection('orders', { within: [2] }).list({ quantity: 7 })).toHaveLength(1);
    await page.getByLabel('userId').fill('9');
    await page
      .getByText(/user.* 9|9.*user/i)
      .first()
      .waitFor();
    await clickButton(page, 'Back to users');
    await page.getByRole('cell', { name: 'ada@example.com' }).waitFor();
    // What the mock refused.
    on.trouble.length = 0;
  });

  test('faults, delay, clock, worlds and profile are set and cleared', async () => {
    const page = await on.open('/__admin#behaviour');
    const section = (name: string) => page.locator('section', { has: page.getByRole('heading', { name }) });
    const faults = section('Fault injection');
    await faults.getByLabel('Status', { exact: true }).fill('504');
    await faults.getByRole('button', { name: 'Add the fault' }).click();
    await faults.getByText('responds with 504').waitFor();
    expect((await on.ask('/v1/pets')).status).toBe(504);
    await faults.getByRole('button', { name: 'Remove all faults' }).click();
    await faults.getByText('No faults.').waitFor();
    const delay = section('Delay');
    await delay.getByLabel('From, ms').fill('1');
    await delay.getByLabel('To, ms').fill('2');
    await delay.getByRole('button', { name: 'Delay every request' }).click();
    await delay.getByText('Every request waits 1 to 2 ms.').waitFor();
    await delay.getByRole('button', { name: 'Remove the delay' }).click();
    await delay.getByText('No delay.').waitFor();
    const clock = section('Clock');
    await clock.getByRole('button', { name: 'Set the date' }).click();
    await clock.locator('time', { hasText: '2030-12-05' }).waitFor();
    await clock.getByRole('button', { name: 'Reset the clock' }).click();
    await clock.locator('time', { hasText: '2030-12-05' }).waitFor({ state: 'detached' });
    await page.getByRole('group').getByText('listPets', { exact: true }).click();
    await page.locator('#gap-list-order').selectOption('oldest-first');
    await page.getByText(/1 of \d+ choices changed/).waitFor();
    expect((await on.mock.profile.get()).choices['list-order']).toBe('oldest-first');
    const worlds = section('Worlds');
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
