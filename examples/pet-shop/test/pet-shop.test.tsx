import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { setupServer } from 'msw/node';
import { createPetstoreFetch } from 'petstore-mock';
import { createPetstoreHandlers } from 'petstore-mock/msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApi } from '../src/api.js';
import { PetShop } from '../src/pet-shop.js';

// Nothing listens there: MSW hands what the app sends to the petstore, which is in this process.
const baseUrl = 'https://petstore.example/v1';
const petstore = createPetstoreFetch();
const server = setupServer(...createPetstoreHandlers(petstore, { url: baseUrl }));

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());
beforeEach(() => petstore.reset());
afterEach(() => server.resetHandlers());

function open(): void {
  render(<PetShop api={createApi({ baseUrl, key: 'petstore-dev-key' })} />);
}

test('the pets are shown with their status', async () => {
  await petstore.pets.replace([{ name: 'Rex', categoryId: 1, status: 'sold' }]);
  open();
  expect((await screen.findByRole('listitem')).textContent).toBe('Rex sold');
  await petstore.assertNoViolations();
});

test('a store without pets says so', async () => {
  await petstore.pets.clear();
  open();
  expect(await screen.findByText('No pets.')).toBeTruthy();
});

test('what the service refuses is told in its words', async () => {
  open();
  await userEvent.clear(screen.getByLabelText('Category'));
  await userEvent.type(screen.getByLabelText('Category'), 'dogs');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect((await screen.findByRole('alert')).textContent).toBe('body/categoryId must be an integer, but is "dogs"');
  expect(await petstore.violations()).toMatchObject([{ operationId: 'createPet', status: 400 }]);
});

test('a double click adds one pet', async () => {
  await petstore.pets.clear();
  open();
  await userEvent.type(screen.getByLabelText('Name'), 'Luna');
  await userEvent.dblClick(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('Luna was added.');
  expect(await petstore.pets.count()).toBe(1);
});
