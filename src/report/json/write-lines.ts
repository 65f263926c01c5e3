/** JSON with each item of a list in a line, such as a scenario or an exchange: indented, a report would be twice as long. */
export function writeLines(result: object): string {
  const rows = Object.entries(result).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : [`  ${JSON.stringify(name)}: ${writeValue(value)}`],
  );
  return `{\n${rows.join(',\n')}\n}`;
}

function writeValue(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`;
}
