import { describe, expect, test } from 'vitest';
import { rowsOf, useConsole, withoutBrowser } from '../support/console-page.js';

// What is shown is in the address, so that a reload and a link lead to it; and what was written beside a response is told apart.
describe.skipIf(withoutBrowser)('addresses of the console', () => {
  const on = useConsole();

  test('an exchange of a world is shown by its link, and the panels keep to the world', async () => {
    const shop = on.mock.world('shop');
    await on.ask('/worlds/shop/v1/pets/1');
    await on.ask('/v1/pets');
    const first = await on.open('/__admin#exchanges?world=shop');
    await rowsOf(first).first().click();
    await first.getByRole('heading', { name: 'getPet' }).waitFor();
    const { hash } = new URL(first.url());
    expect(hash).toMatch(/^#exchanges\/\d+\?world=shop$/);
    const second = await on.open(`/__admin${hash}`);
    await second.getByRole('heading', { name: 'getPet' }).waitFor();
    await second.getByRole('link', { name: 'Collections', exact: true }).click();
    await second.getByRole('button', { name: 'Remove 1', exact: true }).click();
    await second.getByText('Removed pet 1').waitFor();
    expect([await shop.pets.count(), await on.mock.pets.count()]).toEqual([0, 1]);
  });

  test('a world that there is not is told of, and the default one is shown', async () => {
    const page = await on.open('/__admin#collections?world=gone');
    await page.getByText('The world gone no longer exists').first().waitFor();
    await page.getByRole('button', { name: 'Edit 1', exact: true }).waitFor();
    expect(await page.getByLabel('World').inputValue()).toBe('default');
    // What the mock refused.
    on.trouble.length = 0;
  });

  test('an address that no panel has shows the exchanges, and nothing is open', async () => {
    await on.ask('/v1/pets');
    const page = await on.open('/__admin#api/listPets');
    await rowsOf(page).first().waitFor();
    expect(await page.getByText('NaN').count()).toBe(0);
    expect(await page.getByRole('heading', { name: /^Exchange/ }).count()).toBe(0);
  });

  test('a request that was written is there after a reload and by its link, without the key', async () => {
    const page = await on.open('/__admin#send/listPets');
    await page.getByLabel('limit').fill('7');
    await page.getByLabel('Authorization').fill('Bearer petstore-other-key');
    await page.getByText('/v1/pets?limit=7').first().waitFor();
    await expect.poll(() => decodeURIComponent(page.url())).toContain('"query/limit":"7"');
    expect(page.url()).not.toContain('other');
    await page.reload();
    await expect.poll(() => page.getByLabel('limit').inputValue()).toBe('7');
    expect(await page.getByLabel('Authorization').inputValue()).toBe('Bearer petstore-dev-key');
    const second = await on.open(`/__admin${new URL(page.url()).hash}`);
    await second.getByRole('button', { name: 'Send', exact: true }).click();
    await second.locator('.came', { hasText: '200 OK' }).waitFor();
    expect(await on.mock.requests.list()).toMatchObject([{ url: '/v1/pets?limit=7' }]);
  });

  test('the response is in view beside the request, and is marked once the request is another', async () => {
    const page = await on.open('/__admin#send/createPet', { viewport: { width: 1280, height: 800 } });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const came = page.locator('.came', { hasText: '201 Created' });
    await came.waitFor();
    const inView = async (what: typeof came): Promise<boolean> => {
      const { x = -1, y = -1, height = 0 } = (await what.boundingBox()) ?? {};
      return x >= 0 && y >= 0 && y + Math.min(height, 100) <= 800;
    };
    const body = page.getByLabel('Body, application/json');
    const response = page.getByRole('group', { name: 'Body of the response' });
    for (const part of [came, body, response, page.getByRole('button', { name: 'Send', exact: true })])
      expect(await inView(part)).toBe(true);
    expect(await came.getByText('stale').count()).toBe(0);
    await body.fill('{"name":"Bo","categoryId":2}');
    await came.getByText('stale: the request was changed since').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await came.getByText('stale').waitFor({ state: 'detached' });
  });

  test('a request is saved under a name with variables, and sent again after a reload', async () => {
    const page = await on.open('/__admin#send/getPet');
    await page.getByLabel('petId').fill('{{pet}}');
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('the pet');
    await page.getByRole('button', { name: 'Save this request' }).click();
    await page.getByLabel(/^Variables/).fill('pet=1');
    await page.goto(`${on.origin}/__admin#send/listPets`);
    await page.reload();
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await page.getByRole('link', { name: 'the pet' }).click();
    await expect.poll(() => page.getByLabel('petId').inputValue()).toBe('{{pet}}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.came', { hasText: '200 OK' }).waitFor();
    expect(await on.mock.requests.list()).toMatchObject([{ url: '/v1/pets/1' }]);
  });

  test('an import that is refused says where in the file, and leaves everything as it was', async () => {
    const page = await on.open('/__admin#collections');
    await page.getByRole('button', { name: 'Edit 1', exact: true }).waitFor();
    const pick = (name: string, text: string): Promise<void> => {
      const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
      return page.getByLabel('Import', { exact: true }).setInputFiles(file);
    };
    await pick('pets.csv', 'name,categoryId\nAda,1\nBo,many\n');
    await page.getByRole('button', { name: 'Replace all pets' }).click();
    await page.getByRole('alert').getByText('pets.csv:3:4: this pet breaks the contract').waitFor();
    expect(await on.mock.pets.list()).toHaveLength(1);
    await pick('pets.yaml', 'pets:\n  - { name: Ada }\n');
    await page.getByRole('button', { name: 'Use as the start' }).first().click();
    await page.getByRole('alert').getByText('pets.yaml:2:5: ').waitFor();
    expect(await on.mock.pets.list()).toHaveLength(1);
    // What the mock refused.
    on.trouble.length = 0;
  });

  test.each([390, 1280])(
    '%i pixels wide, what a row says is within the row, and the records are in view',
    async (width) => {
      await on.post('{"name":1}');
      await on.ask('/v1/pets/1');
      const page = await on.open('/__admin', { viewport: { width, height: 800 } });
      await rowsOf(page).nth(1).waitFor();
      const outside = `[...document.querySelectorAll('.row[role=option]')].flatMap((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return [...row.querySelectorAll('span')].filter((each) => each.checkVisibility()).flatMap((each) => {
        const box = each.getBoundingClientRect();
        return box.top < top - 1 || box.bottom > bottom + 1 ? [each.className] : [];
      });
    })`;
      expect(await page.evaluate(outside)).toEqual([]);
      await page.goto(`${on.origin}/__admin#collections`);
      const box = await page.getByRole('button', { name: 'Edit 1', exact: true }).boundingBox();
      expect((box?.y ?? 800) + (box?.height ?? 0)).toBeLessThan(500);
      // What the mock refused.
      on.trouble.length = 0;
    },
  );
});
