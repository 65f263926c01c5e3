import { expect, test } from 'vitest';
import { asObject } from '../../../src/contract/document/plain.js';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

/** Sites, of which a PUT leaves what it does not name as it was. */
async function judgeMerging(said: Schema, ofField: Schema = {}): Promise<string[]> {
  const host = { ...text, minLength: 1 };
  const record = object({ id: { ...integer, readOnly: true }, host, links: { ...text, ...ofField } }, ['host']);
  const paths = describeShelf({ name: 'sites', record });
  const item = asObject(paths['/sites/{id}']);
  const document = describePaths({ ...paths, '/sites/{id}': { ...item, put: { ...asObject(item['put']), ...said } } });
  const isText = (value: unknown): boolean => typeof value === 'string';
  const serve = serveShelf('sites', {
    refuse: ({ host: name, links = '' }: Item) =>
      isText(name) && name !== '' && isText(links) ? undefined : fail(400),
    answer: ({ method, path: [, key], body }, items) => {
      const found = method === 'PUT' ? items.find(({ id }) => String(id) === key) : undefined;
      if (found === undefined || !isText((body as Item | undefined)?.['host'])) return undefined;
      const { host: name, links = found['links'] } = body as Item;
      if (name === '' || (links !== undefined && !isText(links))) return fail(400);
      return { status: 200, body: Object.assign(found, { host: name, links }) };
    },
  });
  return listTold(await judgeStranger(document, serve, ['sites/records/*', 'sites/changes/*']));
}

test('what a PUT leaves out is gone, unless the contract says that it stays', async () => {
  expect(await judgeMerging({ summary: 'Replaces a site.' })).toEqual([
    'A replacement leaves `links`, which it does not name, as it was (sites)',
  ]);
  expect(await judgeMerging({ description: 'What is left out stays.' })).toEqual([]);
  expect(await judgeMerging({}, { description: 'If omitted, it is left untouched.' })).toEqual([]);
});
