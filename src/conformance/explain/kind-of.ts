/** The type of the value in a JSON text. */
export function kindOf(json: string): string {
  if (json.startsWith('"')) return 'text';
  if (json.startsWith('[')) return 'a list';
  if (json.startsWith('{')) return 'an object';
  if (/^(null|true|false)$/.test(json)) return json;
  return 'a number';
}
