export type Schema = Record<string, unknown>;

export const TEXT = { type: 'string' };
export const NUMBER = { type: 'integer' };
export const YES = { type: 'boolean' };

export function object(properties: Record<string, object>, required: string[] = []): Schema {
  return { type: 'object', properties, required };
}

export const listOf = (items: object): Schema => ({ type: 'array', items });
