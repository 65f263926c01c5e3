/** A parameter or a raw text with a percent escape that is not UTF-8 (RFC 3986 section 2.1). */
export interface BadEscape {
  part: 'path' | 'query';
  name: string;
  raw: string;
}

/** A name and its value, decoded. */
export interface QueryPair {
  name: string;
  value: string;
  /** It in percent escapes alone, where it had any: what is escaped delimits nothing (RFC 6570 section 3.2.1). */
  raw?: string;
  /** Whether its sender says that the value is JSON. */
  isJson?: true;
}

/** The pairs of a query in the form of HTML forms: `&` between them, `+` for a space. */
export function splitQuery(query: string, badEscapes: BadEscape[]): QueryPair[] {
  const pairs: QueryPair[] = [];
  if (query === '') return pairs;
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const rawName = equals === -1 ? part : part.slice(0, equals);
    const name = decodeForm(rawName);
    const raw = equals === -1 ? '' : part.slice(equals + 1).replaceAll('+', '%20');
    const value = decode(raw);
    if (name !== undefined && value !== undefined) pairs.push(raw === value ? { name, value } : { name, value, raw });
    else badEscapes.push({ part: 'query', name: name ?? rawName, raw: part });
  }
  return pairs;
}

function decodeForm(raw: string): string | undefined {
  return decode(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);
}

/** `undefined` for a percent escape that is not UTF-8. */
export function decode(raw: string): string | undefined {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
