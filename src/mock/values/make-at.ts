import type { SourceDocument } from '../../contract/document/document.js';
import { asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { readValueShape } from '../../contract/operations/properties.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { NOWHERE, type SampleOptions, type Wanted } from '../../contract/samples/sampling.js';

/** A value of the maker's for the schema at a pointer; `undefined` if none can be made. */
export function makeAt(document: SourceDocument, pointer: string, options: SampleOptions): unknown {
  const { make } = options;
  if (make === undefined) return sampleValue(document, pointer, options);
  const rules = asObject(resolveAt(document, pointer).value);
  const type = asText(rules['type']);
  // Most schemas are as plain as this, and a list has thousands of values.
  const made =
    isScalar(type) && !COMBINED.some((keyword) => keyword in rules)
      ? make({ ...(options.place ?? NOWHERE), type, rules, patterns: [rules['pattern'] ?? []].flat() as string[] })
      : undefined;
  if (made !== undefined) return made;
  const { types } = readValueShape(document, pointer, 0);
  // What the contract shows of a scalar is one of what the maker goes by.
  const generated = types.length > 0 && !types.includes('object') && !types.includes('array');
  return (
    (generated ? sampleValue(document, pointer, { ...options, generated }) : undefined) ??
    sampleValue(document, pointer, options)
  );
}

const COMBINED = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'const', 'enum', '$ref'];

function isScalar(type: string | undefined): type is Wanted['type'] {
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean';
}
