import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import { findBrokenRule } from './exact-number.js';
import { loadAjv } from './load-when-needed.js';

/** By which a validator that was compiled ahead asks for {@link findBrokenRule}. */
export const EXACT_NUMBER_MODULE = 'exact-number';

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
