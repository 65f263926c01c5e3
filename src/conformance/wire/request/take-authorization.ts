import type { Contract } from '../../../contract/contract.js';
import type { SecurityScheme } from '../../../contract/model.js';
import type { ConformanceOptions } from '../../model/options.js';

type Given = Pick<ConformanceOptions, 'headers' | 'credentials'>;

/**
 * A given `Authorization` field as the credentials of the contract's schemes, so that a request can be sent without them, or
 * with wrong ones. Where the contract has no scheme of that kind, it is sent as it is.
 */
export function takeAuthorization<T extends Given>(options: T, { securitySchemes }: Contract): T {
  const entries = Object.entries(options.headers ?? {});
  const value = entries.find(([name]) => isAuthorization(name))?.[1];
  if (value === undefined) return options;
  const found = securitySchemes.flatMap((scheme) => {
    const credential = readFor(scheme, value);
    return credential === undefined ? [] : [[scheme.name, credential]];
  });
  if (found.length === 0) return options;
  const credentials = { ...(Object.fromEntries(found) as Record<string, string>), ...options.credentials };
  return { ...options, credentials, headers: Object.fromEntries(entries.filter(([name]) => !isAuthorization(name))) };
}

/** Whether a header field is the one that carries credentials (RFC 9110 section 11.6.2). */
export function isAuthorization(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

function readFor({ kind, at }: SecurityScheme, value: string): string | undefined {
  if (kind === 'header') return isAuthorization(at) ? value : undefined;
  if (kind === 'query' || kind === 'cookie') return undefined;
  const [word = '', ...rest] = value.trim().split(/\s+/);
  const own = rest.join(' ');
  if (own === '' || word.toLowerCase() !== at.toLowerCase()) return undefined;
  return kind === 'basic' ? Buffer.from(own, 'base64').toString('utf8') : own;
}
