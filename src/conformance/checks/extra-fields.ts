import { listProperties } from '../../contract/operations/properties.js';
import { resolveAt } from '../../contract/document/references.js';
import { isPet, show } from './pets.js';
import type { Check, CheckContext } from './check.js';
import { findRule } from './find-response.js';

export const extraFieldsCheck: Check = {
  id: 'extra-fields',
  title: 'an answer has no fields beyond the contract (a deviation only with --strict)',
  run(context) {
    const known = knownFields(context);
    if (known === undefined || context.body.kind !== 'json') return [];
    const { value } = context.body;
    const objects = Array.isArray(value)
      ? value.map((item, index) => [`body/${index}`, item] as const)
      : [['body', value] as const];
    return objects.flatMap(([at, item]) =>
      Object.entries(isPet(item) ? item : {})
        .filter(([field]) => !known.has(field))
        .map(([field, extra]) => ({
          rule: field,
          at: `${at}/${field}`,
          expected: 'absent',
          actual: show(extra),
          severity: context.strict ? ('deviation' as const) : ('information' as const),
        })),
    );
  },
};

/** The fields that the contract gives the body, or the items of a list. */
export function knownFields(context: CheckContext): Set<string> | undefined {
  const schema = findRule(context)?.content[0]?.schemaPointer;
  if (schema === undefined) return undefined;
  const fields = listProperties(context.contract.document, schema);
  return fields.size > 0 ? fields : listItemFields(context, schema);
}

function listItemFields({ contract }: CheckContext, schema: string): Set<string> | undefined {
  const items = `${resolveAt(contract.document, schema).pointer}/items`;
  return contract.document.at(items) === undefined ? undefined : listProperties(contract.document, items);
}
