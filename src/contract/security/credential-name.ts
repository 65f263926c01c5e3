/** What a credential is given for: a security scheme, and the scopes of a token that has not all of them. */
export interface CredentialName {
  scheme: string;
  /** `undefined` for one that suffices everywhere. */
  scopes: readonly string[] | undefined;
}

/** Reads `oauth`, or `oauth[orders:read orders:write]`; commas separate scopes too, and `oauth[]` has none. */
export function readCredentialName(name: string): CredentialName {
  const [, scheme, scopes] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name) ?? [];
  if (scheme === undefined || scopes === undefined) return { scheme: name, scopes: undefined };
  return { scheme, scopes: [...new Set(scopes.split(/[\s,]+/).filter((scope) => scope !== ''))] };
}
