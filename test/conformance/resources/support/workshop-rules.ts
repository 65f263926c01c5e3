import type { Schema } from './odd-resource.js';
import { createFit, readContract, type Fit } from './strangers.js';

const SCHEMAS = {
  customers: 'NewCustomer',
  repairs: 'NewRepair',
  designs: 'NewDesign',
  benches: 'BenchToPut',
  shelves: 'Shelf',
} as const;

type ObjectSchema = Schema & { required?: string[]; properties: Schema };

/** What the workshop takes, by kind; rules that a change names (`off:title.required`) are not looked at. */
export function createRules(changes: readonly string[]): ReadonlyMap<string, Fit> {
  const { schemas } = readContract('workshop').components;
  const off = changes.flatMap((change) => /^off:(\w+)(\.required)?$/.exec(change) ?? []);
  const rules = Object.entries(SCHEMAS).map(([kind, name]) => {
    const { required = [], properties, ...rest } = (schemas[name] ?? {}) as ObjectSchema;
    const [, field = '', isRequired] = off;
    const record: Schema = {
      ...rest,
      ...(field === 'closed' ? { additionalProperties: true } : {}),
      properties: field in properties && isRequired === undefined ? { ...properties, [field]: {} } : properties,
      required: required.filter((each) => each !== field || isRequired === undefined),
    };
    return [kind, createFit({ record })] as const;
  });
  return new Map(rules);
}
