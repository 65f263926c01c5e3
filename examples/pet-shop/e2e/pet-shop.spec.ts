import { expect, test } from './petstore.js';

test('pets are listed, and the filter leaves those of one status', async ({ page, petstore }) => {
  await petstore.pets.replace([
    { name: 'Rex', categoryId: 1, status: 'sold' },
    { name: 'Milo', categoryId: 1, status: 'available' },
  ]);
  await page.goto('/');
  await expect(page.getByRole('listitem')).toHaveCount(2);
  await page.getByLabel('Show').selectOption('sold');
  await expect(page.getByRole('listitem')).toHaveText(['Rex sold']);
});

test('a pet that is added shows up in the list and in the store', async ({ page, petstore }) => {
  await petstore.pets.clear();
  await page.goto('/');
  await page.getByLabel('Name').fill('Luna');
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByText('Luna was added.')).toBeVisible();
  await expect(page.getByRole('listitem')).toHaveText(['Luna available']);
  expect(await petstore.pets.list()).toMatchObject([{ name: 'Luna', categoryId: 1, status: 'available' }]);
});

test('the pets of one test are not seen by another', async ({ page, petstore }) => {
  await petstore.pets.replace([{ name: 'Only here', categoryId: 1 }]);
  await page.goto('/');
  await expect(page.getByRole('listitem')).toHaveText(['Only here no status']);
});

test.describe('what the service refuses', () => {
  test.use({ mayBreakContract: true });

  test('is told in its words, and what was typed stays', async ({ page, petstore }) => {
    await page.goto('/');
    await page.getByLabel('Name').fill('Luna');
    await page.getByLabel('Category').fill('dogs');
    await page.getByRole('button', { name: 'Add' }).click();
    await expect(page.getByRole('alert')).toHaveText('body/categoryId must be an integer, but is "dogs"');
    await expect(page.getByLabel('Name')).toHaveValue('Luna');
    expect(await petstore.requests.count({ operationId: 'createPet', status: 400 })).toBe(1);
  });
});

test('a 500 after the pet was stored does not double it', async ({ page, petstore }) => {
  await petstore.pets.clear();
  await petstore.faults.add({ operationId: 'createPet', at: 'after', times: 1, effect: { status: 500 } });
  await page.goto('/');
  await page.getByLabel('Name').fill('Luna');
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByText('Luna was added.')).toBeVisible();
  expect(await petstore.pets.count()).toBe(1);
});

test('a failure that passes is not noticed, one that stays can be tried again', async ({ page, petstore }) => {
  const fault = await petstore.faults.add({ operationId: 'listPets', effect: { status: 503 } });
  await page.goto('/');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await fault.remove();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('listitem')).not.toHaveCount(0);
});

test('while the service is slow, the page says that it is loading', async ({ page, petstore }) => {
  await petstore.faults.add({ operationId: 'listPets', times: 1, effect: { delay: 1000 } });
  await page.goto('/');
  await expect(page.getByText('Loading …')).toBeVisible();
  await expect(page.getByRole('listitem')).not.toHaveCount(0);
});

test('a key that is refused is asked for', async ({ page, petstore }) => {
  await petstore.faults.add({ operationId: 'listPets', times: 1, effect: { status: 401 } });
  await page.goto('/');
  await page.getByLabel('API key').fill('petstore-dev-key');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('listitem')).not.toHaveCount(0);
});
