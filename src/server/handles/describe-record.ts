import type { Contract } from '../../contract/contract.js';
import { readProperties, type Property } from '../../contract/operations/properties.js';
import { readValueShape } from '../../contract/operations/value-shape.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { mergeSchemas } from '../../contract/schemas/merged-schema.js';
import { readBesideNull } from '../../contract/schemas/nullable.js';
import type { Kept } from '../../mock/store/kept.js';

/** The keywords of a property that a form can show; nested schemas stay in the contract. */
const SHOWN = [
  'format',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'default',
  'example',
  'readOnly',
  'writeOnly',
  'deprecated',
  'title',
  'description',
];

/** The schema of a collection's records in one piece: its properties in the order of the contract, without references. */
export function describeRecord({ schemaPointer }: Kept, contract: Contract): object {
  const { document } = contract;
  const properties = readProperties(document, schemaPointer);
  return {
    type: 'object',
    required: properties.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(properties.map((each) => [each.name, describeProperty(each, contract)])),
  };
}

function describeProperty({ schemaPointer }: Property, { document }: Contract): Record<string, unknown> {
  const types = readValueShape(document, schemaPointer, 0).types;
  const { rules } = mergeSchemas(document, readDialect(document.root), [schemaPointer]);
  const said = { ...readBesideNull(document, schemaPointer), ...rules };
  const shown = SHOWN.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]] as const]));
  return { ...(types.length === 0 ? {} : { type: types }), ...Object.fromEntries(shown) };
}
