import type { RoleOperation } from '../../../../contract/resources/resource.js';
import { sizeParameter } from './bounds.js';
import type { Switch } from '../../../model/doubt.js';

/**
 * The parameters of a list that may do something else than to choose records, whatever they are called: truth values, which may
 * as well add some records or show a field, and what has a value where it is left out.
 */
export function listSwitches({ operation, list }: RoleOperation): Switch[] {
  const { filters = [], paging, sort } = list ?? {};
  const others = new Set([sizeParameter(paging), ...Object.values(paging ?? {}), sort?.parameter, sort?.direction]);
  return operation.parameters.flatMap(({ in: place, name, schema }): Switch[] => {
    if (place !== 'query' || others.has(name)) return [];
    const filter = filters.find(({ parameter, relation }) => parameter === name && relation === 'equals');
    const field = filter?.property.length === 1 ? filter.property[0] : undefined;
    const values = schema['type'] === 'boolean' ? [true, false] : schema['enum'];
    const isSwitch = schema['type'] === 'boolean' || (field !== undefined && schema['default'] !== undefined);
    return isSwitch && Array.isArray(values)
      ? [{ parameter: name, field, values: values.slice(0, MOST_VALUES), usual: schema['default'] }]
      : [];
  });
}

const MOST_VALUES = 4;
