import type { Security, SecurityScheme } from '../model.js';

/** What a request shows of itself. */
export interface Presented {
  /** Header fields, cookies among them, by name. */
  headers: Record<string, string>;
  /** Query parameters, not yet encoded. */
  query: readonly (readonly [name: string, value: string])[];
}

/** The credentials of a combination as a request shows them; `valueOf` gives the key, or `user:password`, of each. */
export function presentCredentials(
  combination: readonly SecurityScheme[],
  valueOf: (scheme: SecurityScheme) => string,
): Presented {
  const headers: Record<string, string> = {};
  const query: (readonly [string, string])[] = [];
  for (const scheme of combination) {
    const value = withoutWord(scheme, valueOf(scheme));
    if (scheme.kind === 'query') query.push([scheme.at, value]);
    else if (scheme.kind === 'cookie') headers['Cookie'] = join(headers['Cookie'], `${scheme.at}=${value}`);
    else if (scheme.kind === 'header') headers[scheme.at] = value;
    else headers['Authorization'] = `${scheme.at} ${scheme.kind === 'basic' ? encodePair(value) : value}`;
  }
  return { headers, query };
}

/** A credential without the word of its scheme, with which it may be given: `Bearer <token>`. */
export function withoutWord({ kind, at }: SecurityScheme, value: string): string {
  const hasWord = kind === 'bearer' || kind === 'basic' || kind === 'word';
  return hasWord && value.toLowerCase().startsWith(`${at.toLowerCase()} `) ? value.slice(at.length).trimStart() : value;
}

function join(cookies: string | undefined, pair: string): string {
  return cookies === undefined ? pair : `${cookies}; ${pair}`;
}

/** A pair as RFC 7617 has it. An API key alone is the user of one, with no password. */
function encodePair(value: string): string {
  return Buffer.from(value.includes(':') ? value : `${value}:`).toString('base64');
}

/** What of a value nobody else may see: of a pair the password too, which may stand somewhere by itself. */
export function listSecretParts(value: string): string[] {
  const colon = value.indexOf(':');
  return colon === -1 ? [value] : [value, value.slice(colon + 1)];
}

/** The combination to show: one for which all is given, else the first that asks for something. */
export function chooseCombination(
  security: Security,
  isGiven: (scheme: SecurityScheme) => boolean,
): readonly SecurityScheme[] {
  const asking = security.filter((combination) => combination.length > 0);
  return asking.find((combination) => combination.every(isGiven)) ?? asking[0] ?? [];
}

/** How a client shows the credentials of a scheme: `Authorization: Bearer <API_KEY>`. */
export function describeScheme({ kind, at }: SecurityScheme, value?: string): string {
  if (kind === 'basic') return `Authorization: Basic ${value ?? '<user:password in Base64>'}`;
  const key = value ?? '<API_KEY>';
  if (kind === 'header') return `${at}: ${key}`;
  if (kind === 'query') return `${at}=${key} in the query`;
  return kind === 'cookie' ? `Cookie: ${at}=${key}` : `Authorization: ${at} ${key}`;
}
