// A service that names in each rejection what is wrong with the field that was missing before, and the value beside it.
import { expect, test } from 'vitest';
import { object, text } from '../../resources/support/odd-resource.js';
import { describeShelf, serveShelf } from '../../resources/support/shelf.js';
import { describePaths, fail, judgeStranger, type Answer, type Item } from '../../resources/support/stranger.js';

const FIELDS = {
  name: { type: 'string' },
  kind: { type: 'string', enum: ['native', 'copy'] },
  file: { type: 'string', description: 'All records of the zone as text' },
};

function refuse({ name, kind, file }: Item): Answer | undefined {
  if (typeof name !== 'string') return fail(400, `Key 'name' not present or not a string`);
  if (!/^[a-z]+\.example\.com\.$/.test(name)) return fail(400, `Name '${name}' is not canonical`);
  if (kind !== 'native' && kind !== 'copy') return fail(400, `Key 'kind' not present`);
  return file === undefined ? undefined : fail(400, 'An error occurred while parsing it');
}

test.each([
  ['the sound one', refuse, []],
  [
    'one that loses the name',
    (body: Item) => {
      const refused = refuse(body);
      if (refused === undefined) body['name'] = `${String(body['name'])}lost`;
      return refused;
    },
    [expect.stringMatching(/^`?name`? .*not as it was sent/)],
  ],
])('what it takes is found step by step: %s', async (_, refusal, told) => {
  const paths = describeShelf({
    name: 'zones',
    record: object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id']),
    sent: object({ ...FIELDS, note: { ...text, description: 'Assigned by the server' } }, []),
    refusals: { create: [400] },
  });
  const result = await judgeStranger(describePaths(paths), serveShelf('zones', { refuse: refusal }), [
    'zones/records/*',
  ]);
  const headlines = result.problems.map(({ headline }) => headline);
  expect(headlines.filter((each) => !each.startsWith('zones_create rejects with 400'))).toEqual(told);
  const found = result.scenarios.find(({ id }) => id === 'zones/records/get');
  expect(found?.verdict).toBe(told.length === 0 ? 'passed' : 'deviated');
});
