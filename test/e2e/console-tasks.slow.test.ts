import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { rowsOf, useConsole, withoutBrowser } from '../support/console-page.js';
import { createHands, type Hands } from '../support/three-actions.js';

// What a new user wants of the console, each in at most three actions from `/__admin`.
describe.skipIf(withoutBrowser)('tasks of a new user, three actions each', () => {
  const on = useConsole();

  async function begin(): Promise<{ page: Page; hands: Hands; panel: (name: string) => Locator }> {
    const page = await on.open('/__admin');
    const panel = (name: string): Locator => page.getByRole('link', { name, exact: true });
    return { page, hands: createHands(page), panel };
  }
  const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

  /** Pets 2 and 3 beside pet 1 of the fixtures. */
  async function addPets(): Promise<void> {
    await on.mock.pets.add({ name: 'Ada', categoryId: 1, status: 'available' });
    await on.mock.pets.add({ name: 'Bello', categoryId: 2, status: 'pending' });
  }

  test('what a request is answered with is changed', async () => {
    await on.ask('/v1/pets/1');
    const { page, hands } = await begin();
    await hands.click(rowsOf(page).first());
    await hands.click(button(page, 'Respond to this with…'));
    await hands.click(button(page, 'Respond with 404'));
    await page.getByText('The next request like this gets this response').waitFor();
    expect([(await on.ask('/v1/pets/1')).status, (await on.ask('/v1/pets/1')).status]).toEqual([404, 200]);
  });

  test('the request that failed is found, and why', async () => {
    await on.post('{"name":"Rex"}');
    for (let at = 0; at < 100; at += 1) await on.ask(`/v1/pets?limit=${at % 9}`.replace('=0', '=1'));
    const { page, hands } = await begin();
    await page.getByText('101 exchanges').waitFor();
    await hands.choose(page.getByLabel('Verdict'), 'client');
    await hands.click(rowsOf(page));
    await page.locator('.violation', { hasText: 'body/categoryId is required' }).waitFor();
    expect(await page.locator('.judgement').innerText()).toContain('The client is at fault');
  });

  test('an operation is made to fail, and mended again', async () => {
    const { page, hands, panel } = await begin();
    await hands.click(panel('API'));
    await hands.click(page.getByRole('link', { name: /POST/ }));
    await hands.click(button(page, 'Respond with 503'));
    await page.getByRole('listitem').getByText('responds with 503').waitFor();
    const pet = '{"name":"Rex","categoryId":1}';
    expect([(await on.post(pet)).status, (await on.ask('/v1/pets')).status]).toEqual([503, 200]);
    // Taken away where it was set: a fourth action, and a task of its own.
    await page.getByRole('button', { name: /^Remove/ }).click();
    await page.getByText('The fault is removed').waitFor();
    expect((await on.post(pet)).status).toBe(201);
  });

  test('a record is found by what it says', async () => {
    await on.mock.useFixtures('default');
    await addPets();
    const { page, hands, panel } = await begin();
    await hands.click(panel('Collections'));
    await hands.click(page.getByLabel('Search all values'));
    await hands.type('bello');
    await page.getByText('1 of 52').waitFor();
    expect(await page.locator('tbody [data-edit]').count()).toBe(1);
    await button(page, 'Edit 52').waitFor();
  });

  test('exchanges are saved as an HTTP Archive', async () => {
    await on.ask('/v1/pets');
    const { page, hands } = await begin();
    await rowsOf(page).first().waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), hands.click(button(page, 'Download as HAR'))]);
    const har = JSON.parse(await readFile(await file.path(), 'utf8')) as { log: { entries: unknown[] } };
    expect(har.log.entries).toHaveLength(1);
  });

  test('that a fault is on is seen, and what it does', async () => {
    await on.mock.faults.add({ operationId: 'listPets', effect: { status: 503 } });
    await on.mock.delay.set({ from: 1, to: 2 });
    const { page, hands } = await begin();
    const injected = page.getByRole('list', { name: 'Injected now' });
    await injected.getByText('Delay 1 to 2 ms').waitFor();
    await hands.click(injected.getByText('1 fault'));
    await page.getByRole('listitem').getByText('responds with 503').waitFor();
    expect(new URL(page.url()).hash).toBe('#behaviour/faults');
  });

  test('a response of a fault is told from a valid one', async () => {
    await on.mock.faults.add({ operationId: 'listPets', effect: { status: 503 } });
    await on.ask('/v1/pets');
    const { page, hands } = await begin();
    await hands.click(rowsOf(page).first());
    const judged = page.locator('.judgement', { hasText: 'An injected fault changed this response' });
    await judged.filter({ hasText: 'fault-1: responds with 503' }).waitFor();
    expect(await page.getByText('are valid').count()).toBe(0);
  });

  test('everything that was tried is taken back', async () => {
    await on.mock.faults.add({ effect: { status: 503 } });
    await on.mock.delay.set(1);
    await on.mock.clock.freeze('2030-12-05');
    await on.mock.profile.choose({ 'list-order': 'oldest-first' });
    await addPets();
    const { page, hands } = await begin();
    await page.getByText('Clock stopped 2030-12-05 00:00').waitFor();
    await hands.click(page.getByText('Reset', { exact: true }));
    await hands.click(button(page, 'Everything'));
    await page.getByRole('list', { name: 'Injected now' }).waitFor({ state: 'detached' });
    expect([await on.mock.pets.count(), await on.mock.faults.list()]).toEqual([1, []]);
    expect([await on.mock.clock.isFrozen(), (await on.mock.delay.get()).to]).toEqual([false, 0]);
  });

  test('a world is made where one is chosen, and is there after a reload', async () => {
    const { page, hands } = await begin();
    await hands.choose(page.getByRole('combobox', { name: /^World/ }), '+');
    await page.getByText('Up to 64 letters, digits, dots, dashes and underscores').waitFor();
    // What has the focus takes the name; Enter ends it.
    await hands.type('team-a\n');
    await page.getByRole('combobox', { name: /^World/ }).waitFor();
    expect(await on.mock.worlds()).toContain('team-a');
    expect(new URL(page.url()).hash).toBe('#exchanges?world=team-a');
    await page.reload();
    await page.getByText('No requests yet').waitFor();
    expect(await page.getByRole('combobox', { name: /^World/ }).inputValue()).toBe('team-a');
  });

  test('what an operation takes and answers is looked up', async () => {
    const { page, hands, panel } = await begin();
    await hands.click(panel('API'));
    await hands.click(page.getByRole('link', { name: /POST.*Add/ }));
    const reference = page.getByRole('complementary');
    await reference.getByText('Authorization: Bearer').waitFor();
    const text = await reference.innerText();
    for (const part of ['categoryId required integer', 'int64', 'one of available, pending, sold', 'NewPet: object'])
      expect(text).toContain(part);
    for (const status of ['201', '400', '401']) expect(text).toContain(status);
  });

  test('records of one’s own are imported from CSV', async () => {
    const { page, hands, panel } = await begin();
    await hands.click(panel('Collections'));
    const buffer = Buffer.from('name,categoryId,status\nAda,1,sold\nBo,2,\n');
    await hands.pick(page.getByLabel('Import'), { name: 'pets.csv', mimeType: 'text/csv', buffer });
    await hands.click(button(page, 'Add to pets'));
    await page.getByText('2 records added to pets').first().waitFor();
    expect(await on.mock.pets.get(2)).toEqual({ id: 2, name: 'Ada', categoryId: 1, status: 'sold' });
  });

  test('a data set of one’s own becomes the start', async () => {
    const { page, hands, panel } = await begin();
    await hands.click(panel('Collections'));
    const buffer = Buffer.from('pets:\n  - { name: Ada, categoryId: 1 }\n  - { name: Bo, categoryId: 2 }\n');
    await hands.pick(page.getByLabel('Import'), { name: 'mine.yaml', mimeType: 'application/yaml', buffer });
    // Before the file is read, the first button of that name is another one's.
    await page.getByText('mine.yaml: a data set').waitFor();
    await hands.click(button(page, 'Use as the start').first());
    await page.getByText('The start state is now mine.yaml').first().waitFor();
    await on.mock.reset();
    expect(await on.mock.pets.count()).toBe(2);
  });

  test('a fourth action is refused, and not done', async () => {
    await addPets();
    const { page, hands, panel } = await begin();
    await hands.click(panel('Collections'));
    await hands.click(button(page, 'Edit 2'));
    await hands.key('End');
    await expect(hands.type('!')).rejects.toThrow('one action too many: type !, after click');
    await expect(hands.click(button(page, 'Save'))).rejects.toThrow('one action too many');
    await expect(hands.choose(page.getByLabel('status of 3'), '"sold"')).rejects.toThrow('one action too many');
    expect(await page.locator('.editor [name="name"]').inputValue()).toBe('Ada');
    expect(await on.mock.pets.get(3)).toMatchObject({ status: 'pending' });
    expect(hands.done).toHaveLength(3);
  });
});
