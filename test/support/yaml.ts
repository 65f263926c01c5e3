import { parse } from 'yaml';

/** What a text in YAML says, for rows of a table and for documents, a line each. A backslash is one. */
export function yaml<Value>(text: TemplateStringsArray, ...values: (string | number)[]): Value {
  return parse(String.raw(text, ...values)) as Value;
}
