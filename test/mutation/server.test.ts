import { describe, expect, test } from 'vitest';
import { ask, create, describeError, legal, open, record, summarize } from './ask-server.js';
import { mutantList, readings } from './mutants/index.js';
import { variantList } from './variants/index.js';

describe('the default mutation server', () => {
  test('keeps the interface', async () => {
    expect(await summarize(await open())).toEqual(legal);
  });

  test.each(['12', '12.0', '1.2e1', '1200e-2'])('reads the categoryId %s as 12', async (text) => {
    const { body } = await create(await open(), `{"name":"Rex","categoryId":${text}}`);
    expect(body).toEqual({ id: 146n, name: 'Rex', categoryId: 12n });
  });

  test.each(['1.5', '1e-1', '1e999999999', '9223372036854775808', '"12"'])(
    'refuses the categoryId %s',
    async (text) => {
      expect(describeError(await create(await open(), `{"name":"Rex","categoryId":${text}}`))).toBe(
        '400 string string',
      );
    },
  );

  test.each(['/pets?limit=0', '/pets?limit=101', '/pets?status=lost'])('refuses %s', async (target) => {
    expect(describeError(await ask(await open(), target))).toBe('400 string string');
  });

  test('answers the same replay with the same bytes', async () => {
    const [first, second] = await Promise.all([record([]), record([])]);
    expect(second).toEqual(first);
    expect(first.length).toBeGreaterThan(150);
  });
});

describe('the registries', () => {
  const entries = [...mutantList, ...variantList];

  test('have kebab-case ids', () => {
    expect(entries.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  test.each(['id', 'title'] as const)('have no %s twice', (field) => {
    const values = entries.map((entry) => entry[field]);
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  });

  test('use every reading of the interface that they explain', () => {
    const used = new Set(mutantList.flatMap(({ reading }) => reading ?? []));
    expect([...used].sort()).toEqual(Object.keys(readings).sort());
  });

  test('name the section that each mutant breaks', () => {
    expect(mutantList.filter(({ breaks }) => !/^\d[^:]*: ./.test(breaks))).toEqual([]);
  });
});
