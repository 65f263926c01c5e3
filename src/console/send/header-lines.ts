/** Header fields, one per line: `Name: value`. */
export function printHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Fields by name; repeated ones are joined (RFC 9110 section 5.3). The first line that is none comes back as `wrong`. */
export function readHeaders(text: string): { headers: Record<string, string>; wrong: string | undefined } {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    if (colon < 1 || name === '') return { headers, wrong: line };
    const value = line.slice(colon + 1).trim();
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return { headers, wrong: undefined };
}
