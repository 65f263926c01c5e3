import type { RoleOperation } from '../resource.js';

/** The values without which a list leaves a record out, by property: its filters have them as their defaults. */
export function listDefaultFilters({ list, operation }: RoleOperation): [string, unknown][] {
  const filters =
    list?.filters.filter(({ relation, property }) => relation === 'equals' && property.length === 1) ?? [];
  return filters.flatMap(({ parameter, property }): [string, unknown][] => {
    const found = operation.parameters.find(({ in: place, name }) => place === 'query' && name === parameter);
    const usual = found?.schema['default'];
    return usual === undefined || meansNone(usual) ? [] : [[property[0] ?? '', usual]];
  });
}

/** Whether a default means that nothing is filtered. Some documents write the text `null`. */
export function meansNone(usual: unknown): boolean {
  return usual === '' || usual === null || usual === 'null';
}
