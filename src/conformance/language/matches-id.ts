/** Whether an id matches a pattern: the id itself, a table without its case, or a glob. */
export function matchesId(id: string, pattern: string): boolean {
  if (id === pattern || isCaseOf(id, pattern)) return true;
  if (!pattern.includes('*')) return false;
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop() ?? '';
  if (!id.startsWith(first) || !id.endsWith(last) || id.length < first.length + last.length) return false;
  // Each part at its first occurrence: no other leaves more room for the following parts.
  let at = first.length;
  for (const part of parts) {
    const found = id.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= id.length - last.length;
}

/** As {@link nameTable} would say; asked for every pair of scenarios. */
function isCaseOf(id: string, table: string): boolean {
  return id.charAt(table.length) === '[' && id.endsWith(']') && id.startsWith(table) && !table.includes('[');
}
