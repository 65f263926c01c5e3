import { expect, test } from 'vitest';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

/** As Django REST writes a decimal of five digits, two of them after the point: an empty text matches. */
const decimal = { ...text, pattern: String.raw`^-?\d{0,3}(?:\.\d{0,2})?$` };

async function judgePrices(keep: (price: number) => string): Promise<string[]> {
  const record = object({ id: { ...integer, readOnly: true }, body: { ...text, minLength: 1 }, price: decimal }, [
    'body',
    'price',
  ]);
  const isPrice = (price: unknown): boolean => typeof price === 'string' && /^-?\d{1,3}(\.\d{1,2})?$/.test(price);
  const serve = serveShelf('notes', {
    refuse: ({ body, price }) => (typeof body === 'string' && body !== '' && isPrice(price) ? undefined : fail(400)),
    keep: (body) => ({ ...body, price: keep(Number(body['price'])) }),
  });
  return listTold(await judgeStranger(describePaths(describeShelf({ name: 'notes', record })), serve));
}

test('of a pattern that an empty text matches, an ordinary decimal is sent, and what becomes of it is seen', async () => {
  expect(await judgePrices((price) => price.toFixed(2))).toEqual([]);
  expect(await judgePrices((price) => Math.floor(price).toFixed(2))).toEqual([
    expect.stringMatching(/^`price` is not as it was sent .*: "12\.00" instead of "12\.50"$/),
  ]);
});

async function judgeSlugs(change: (text: string) => string): Promise<string[]> {
  const record = object({ id: { ...integer, readOnly: true }, slug: { ...text, minLength: 1 }, email: text }, [
    'slug',
    'email',
  ]);
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const serve = serveShelf('pages', {
    refuse: ({ slug, email }: Item) => (isText(slug) && isText(email) ? undefined : fail(400)),
    keep: (body) => ({ ...body, slug: change(String(body['slug'])), email: String(body['email']).toLowerCase() }),
  });
  return listTold(await judgeStranger(describePaths(describeShelf({ name: 'pages', record })), serve));
}

test('names that a service lowers are no changed fields, and those that it cuts are', async () => {
  expect(await judgeSlugs((slug) => slug.trim().toLowerCase())).toEqual([]);
  expect(await judgeSlugs((slug) => slug.slice(0, 4))).toEqual([
    expect.stringMatching(/^`slug` is not as it was sent/),
  ]);
});
