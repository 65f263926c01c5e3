/** Whether any value of a parameter is one of a property: `All` and `Deleted` say nothing of a boolean. */
export function haveCommon(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const [values, others] = [listValues(one), listValues(other)];
  return values === undefined || others === undefined || values.some((value) => others.includes(value));
}

/** All values that a schema allows, as a URL has them; `undefined` if it does not list them. */
function listValues({ type, enum: choices }: Record<string, unknown>): string[] | undefined {
  if (Array.isArray(choices)) return choices.map((choice) => String(choice).toLowerCase());
  return type === 'boolean' ? ['true', 'false'] : undefined;
}
