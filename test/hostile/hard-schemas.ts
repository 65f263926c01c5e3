export type Schema = Record<string, unknown>;

/** A document whose one operation responds with the first of these schemas. */
export function document(schemas: Schema, rest: Schema = {}): string {
  const schema = to(Object.keys(schemas)[0] ?? 'S');
  const responses = { 200: { description: '', content: { 'application/json': { schema } } } };
  const paths = { '/a': { get: { operationId: 'get', responses } } };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths,
    components: { schemas },
    ...rest,
  });
}

export const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const text = { type: 'string' };
export const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more });
/** An object with all of its properties required. */
export const needed = (properties: Schema): Schema => object(properties, { required: Object.keys(properties) });

export const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Schemas `S0`, `S1` and so on. */
export const named = (count: number, make: (index: number) => unknown): Schema =>
  Object.fromEntries(times(count, (index) => [`S${index}`, make(index)]));

/** Schemas that each lead to the next, and the last to the first. */
export const ring = (count: number, make: (next: Schema) => Schema): Schema =>
  named(count, (index) => make(to(`S${(index + 1) % count}`)));

export const nest = (depth: number, wrap: (inside: Schema) => Schema): Schema =>
  times(depth, () => undefined).reduce<Schema>((inside) => wrap(inside), text);
