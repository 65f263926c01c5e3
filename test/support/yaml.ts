import { parse } from 'yaml';

/** What a text in YAML says, for rows of a table and for documents, a line each. Only a backtick is escaped. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the rows are, once for all of them
export function yaml<Value>(text: TemplateStringsArray, ...values: (string | number)[]): Value {
  return parse(String.raw(text, ...values).replaceAll('\\`', '`')) as Value;
}
