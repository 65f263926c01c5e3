import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import { loadAjv } from '../document/load-when-needed.js';
import { keyOfJson } from '../document/same-json.js';

/** The places of two equal items of a list; `undefined` if it has none. Takes time in proportion to the list's length. */
export function findRepeated(list: readonly unknown[]): { i: number; j: number } | undefined {
  const places = new Map<unknown, number>();
  for (const [i, item] of list.entries()) {
    const key = keyOfJson(item);
    const j = places.get(key);
    if (j !== undefined) return { i, j };
    places.set(key, i);
  }
  return undefined;
}

/** The name by which a precompiled validator requires {@link findRepeated}. */
export const UNIQUE_ITEMS_MODULE = 'unique-items';

/**
 * `uniqueItems` (JSON Schema Validation 2020-12 section 6.4.3) in place of Ajv's, which compares every item with every
 * other one.
 */
export function createUniqueItemsKeyword(): CodeKeywordDefinition {
  const { _ } = loadAjv();
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not have equal items', params: ({ params }) => _`${params['found']}` },
    code(context: KeywordCxt) {
      const { gen, data, schema } = context;
      if (schema !== true) return;
      const code = _`require(${UNIQUE_ITEMS_MODULE}).findRepeated`;
      const find = gen.scopeValue('func', { ref: findRepeated, code });
      const found = gen.const('repeated', _`${find}(${data})`);
      context.setParams({ found });
      context.fail(_`${found} !== undefined`);
    },
  };
}
