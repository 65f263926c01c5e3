import { expect, test } from 'vitest';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, type Answer, type Asked, type Item } from './support/stranger.js';

const record = object({ id: { ...integer, readOnly: true }, title: { ...text, minLength: 1 } }, ['title']);
const secured = {
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  security: [{ token: [] }],
};
const KEY = 'Bearer any';

interface Told {
  headlines: string[];
  open: string[];
}

/** A service that asks for a key, and answers some requests with 403. */
async function judgeRights(
  forbids: (asked: Asked, items: readonly Item[]) => boolean,
  ofOne: readonly number[] = [401, 403, 404],
): Promise<Told> {
  const refusals = {
    list: [401, 403],
    create: [400, 401, 403],
    get: ofOne,
    replace: [400, ...ofOne],
    remove: ofOne,
  };
  const answer = (asked: Asked, items: Item[]): Answer | undefined => {
    if (asked.headers['authorization'] !== KEY) return fail(401);
    return forbids(asked, items) ? fail(403) : undefined;
  };
  const refuse = ({ title }: Item): Answer | undefined =>
    typeof title === 'string' && title !== '' ? undefined : fail(400);
  const document = describePaths(describeShelf({ name: 'books', record, refusals }), secured);
  const { problems, scenarios } = await judgeStranger(document, serveShelf('books', { answer, refuse }));
  return {
    headlines: problems.map(({ headline }) => headline),
    open: [...new Set(scenarios.flatMap(({ verdict, reason = '' }) => (verdict === 'inconclusive' ? [reason] : [])))],
  };
}

test.each(['PUT', 'DELETE'])('a key that may not %s is no defect, and the reason names the right', async (method) => {
  const { headlines, open } = await judgeRights((asked) => asked.method === method);
  expect(headlines).toEqual([]);
  const name = method === 'PUT' ? 'books_replace' : 'books_remove';
  expect(open).toEqual([`needs a key that may call ${name}: the target takes this one, and answers 403 there`]);
});

test('403 for what was allowed a moment ago is a defect', async () => {
  let count = 0;
  const { headlines } = await judgeRights(({ method }) => method === 'DELETE' && (count += 1) > 1);
  expect(headlines).toEqual([expect.stringMatching(/^books_remove refuses with 403/)]);
});

const isUnknown = ({ path }: Asked, items: readonly Item[]): boolean =>
  path[1] !== undefined && !items.some(({ id }) => String(id) === path[1]);

test('a service may hide that there is no such record, where its contract has 403', async () => {
  expect((await judgeRights(isUnknown)).headlines).toEqual([]);
  expect((await judgeRights(isUnknown, [401, 403])).headlines).toEqual([]);
  expect((await judgeRights(isUnknown, [401, 404])).headlines).toEqual([
    'books_get answers 403 instead of 404 for a record that is not there',
  ]);
});
