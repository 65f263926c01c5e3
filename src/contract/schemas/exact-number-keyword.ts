import { createRequire } from 'node:module';
import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import { findBrokenRule } from './exact-number.js';
import { findRepeated, UNIQUE_ITEMS_MODULE } from './unique-items.js';
import { loadAjv } from '../document/load-when-needed.js';

/** The name by which a precompiled validator requires {@link findBrokenRule}. */
const EXACT_NUMBER_MODULE = 'exact-number';

const requireModule = createRequire(import.meta.url);

/** Gives precompiled validators the modules that they require. */
export function requireForValidators(name: string): unknown {
  if (name === UNIQUE_ITEMS_MODULE) return { findRepeated };
  return name === EXACT_NUMBER_MODULE ? { findBrokenRule } : requireModule(name);
}

/** The keyword `exactNumber`, by which Ajv applies {@link findBrokenRule}. */
export function createExactNumberKeyword(): CodeKeywordDefinition {
  const { _ } = loadAjv();
  return {
    keyword: 'exactNumber',
    error: {
      message: ({ params }) => _`"must be " + ${params['broken']}.expected`,
      params: ({ params }) => _`${params['broken']}`,
    },
    code(context: KeywordCxt) {
      const { gen, data, schemaValue: rules } = context;
      const code = _`require(${EXACT_NUMBER_MODULE}).findBrokenRule`;
      const find = gen.scopeValue('func', { ref: findBrokenRule, code });
      const found = gen.const('broken', _`${find}(${data}, ${rules})`);
      context.setParams({ broken: found });
      context.fail(_`${found} !== undefined`);
    },
  };
}
