import { expect, test } from 'vitest';
import type { Schema } from './support/odd-resource.js';
import { describeKennels, KENNEL_KEY, serveKennels, type Defect } from './support/kennels.js';
import { judgeStranger, listTold } from './support/stranger.js';
import { expectHeadline } from './support/expect-problem.js';

const tell = async (defect: Defect | undefined, only: string[], count?: number): Promise<string[]> =>
  listTold(await judgeStranger(describeKennels(), serveKennels(defect, count), only, KENNEL_KEY));

type Properties = Record<string, Schema>;

/** A property of a schema, at any depth. */
function at(schema: Schema, ...names: string[]): Schema {
  return names.reduce(
    (each, name) => (name === '*' ? (each['items'] as Schema) : ((each['properties'] as Properties)[name] ?? {})),
    schema,
  );
}

function without(of: 'create' | 'update' | 'replace', path: string, rule: string): Defect {
  const names = path === '' ? [] : path.split('.');
  return { of, drop: (schema) => void delete at(schema, ...names)[rule] };
}

test('a service that keeps its contract passes all of it', async () => {
  expect(await tell(undefined, [])).toEqual([]);
  expect(await tell(undefined, ['kennels/lists/*'], 100)).toEqual([]);
});

const REFUSALS = ['kennels/refusals/create*', 'kennels/refusals/update*', 'kennels/refusals/replace*'];

test.each([
  ['create', 'since', 'format', /addKennel accepts `since` .*"2026-02-30"/],
  ['create', 'mail', 'maxLength', /addKennel accepts `mail` /],
  ['create', 'kinds', 'maxItems', /addKennel accepts `kinds` \["cat","dog","fox"\]/],
  ['create', 'places', 'format', /addKennel accepts `places` 2147483648/],
  ['create', 'owner.contact.phone', 'pattern', /addKennel accepts `owner\/contact\/phone`/],
  ['create', 'kinds.*', 'enum', /addKennel accepts `kinds\/1` "no-such-value"/],
  ['update', 'code', 'pattern', /patchKennel accepts `code`/],
  ['update', 'owner.country', 'enum', /patchKennel accepts `owner\/country` "no-such-value"/],
  ['update', 'name', 'maxLength', /patchKennel accepts `name`/],
  ['update', '', 'minProperties', /patchKennel accepts/],
  ['replace', 'owner', 'required', /putKennel accepts a body without `owner\/city`/],
  ['replace', 'opened', 'format', /putKennel accepts `opened`/],
] as const)('a %s that does not look at %s (%s) is told', async (of, path, rule, headline) => {
  expectHeadline(await tell(without(of, path, rule), REFUSALS), headline);
});

test('near misses are told one by one: another case, a time without its zone', async () => {
  const anyCase = (schema: Schema): void => void (at(schema, 'code')['pattern'] = '^[A-Za-z]{3}$');
  expect(await tell({ of: 'create', drop: anyCase }, REFUSALS)).toEqual([
    expect.stringMatching(/addKennel accepts `code` "[a-z]{3}"/),
  ]);
  const zoneless = (schema: Schema): void =>
    void Object.assign(at(schema, 'opened'), { format: undefined, pattern: '^\\d{4}-\\d{2}-\\d{2}T' });
  expect(await tell({ of: 'create', drop: zoneless }, REFUSALS)).toEqual([
    expect.stringMatching(/addKennel accepts `opened` "2026-02-03T10:00:00"/),
  ]);
});

test.each([
  ['state of a client', ['kennels/records/read-only*'], /^`state`, which is read only, can be changed by clients/],
  ['word shown', ['kennels/records/*'], /^`owner\/contact\/word`, which is write only, is in responses of addKennel/],
  ['order lost', ['kennels/records/values*'], /^`rounds\/\*` is not as it was sent/],
  [
    'state ignored',
    ['kennels/lists/filter-by-service*'],
    /^The filter by `state` of listKennels returns records that do not match$/,
  ],
  ['total of all', ['kennels/lists/total-of-filter*'], /^listKennels says that there are \d+ records, and lists/],
  ['address of another', ['kennels/records/create'], /^The `Location` in responses of addKennel is not the address/],
  ['address of nothing', ['kennels/records/create'], /^The `Location` in responses of addKennel is not the address/],
  ['address of the list', ['kennels/records/create'], /^The `Location` in responses of addKennel is not the address/],
  ['another kennel', ['*/records/create'], /^A record names another parent than the one in the path/],
  ['no kennel for POST', ['*/parents/unknown-create'], /^addDog returns 201 instead of 404 or 400/],
  ['no kennel for one', ['*/parents/unknown-get'], /^getDog returns 200 instead of 404/],
  [
    'clean for all',
    ['*/refusals/credentials-of-others*'],
    /^The key is not checked: cleanKennel serves requests without a key$/,
  ],
  [
    'weather for all',
    ['*/refusals/credentials-of-others*'],
    /^The key is not checked: getWeather serves requests without a key$/,
  ],
  ['weather in words', ['*/requests/other-answer*'], /^`degrees` .* is text/],
  ['key in any case', ['*/refusals/credential-forms*'], /with the key in another case$/],
] as const)('%s is told', async (habit, only, headline) => {
  expectHeadline(await tell({ habit }, [...only]), headline);
});

test('a total that ignores the filter does not keep filters from being judged', async () => {
  const { scenarios } = await judgeStranger(
    describeKennels(),
    serveKennels({ habit: 'total of all' }),
    ['kennels/lists/filter-value*'],
    KENNEL_KEY,
  );
  const asked = scenarios.filter(({ id }) => id.includes('filter-value'));
  expect(asked.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
});

test('a list of many records is read in pages', async () => {
  expect(await tell({ habit: 'repeats far behind' }, ['kennels/lists/pages-of-more*'], 130)).toEqual([
    expect.stringMatching(/^A record appears twice in the pages of listKennels/),
  ]);
});

test('what may change something is asked without credentials only where the run may change records of its own', async () => {
  const seen: string[] = [];
  const serve = serveKennels();
  await judgeStranger(
    describeKennels(),
    (asked) => {
      seen.push(`${asked.method} ${asked.path.at(-1) ?? ''}`);
      return serve(asked);
    },
    ['*/refusals/credentials-of-others*'],
    { ...KENNEL_KEY, may: ['create'] },
  );
  expect(seen).toContain('GET weather');
  expect(seen).not.toContain('POST clean');
});
