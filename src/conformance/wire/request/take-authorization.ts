import type { Contract } from '../../../contract/contract.js';
import type { SecurityScheme } from '../../../contract/model.js';
import type { ConformanceOptions } from '../../model/options.js';

type Given = Pick<ConformanceOptions, 'headers' | 'credentials'>;

/**
 * Given header fields that carry credentials of the contract's schemes as those credentials, so that a request can be sent without
 * them, or with wrong ones. What the contract has no scheme for is sent as it is.
 */
export function takeAuthorization<T extends Given>(options: T, { securitySchemes }: Contract): T {
  const entries = Object.entries(options.headers ?? {});
  const found = entries.flatMap(([name, value]) =>
    securitySchemes.flatMap((scheme) => {
      const credential = readFor(scheme, name, value);
      return credential === undefined ? [] : [{ name, scheme: scheme.name, credential }];
    }),
  );
  if (found.length === 0) return options;
  const taken = new Set(found.map(({ name }) => name));
  return {
    ...options,
    credentials: {
      ...Object.fromEntries(found.map(({ scheme, credential }) => [scheme, credential])),
      ...options.credentials,
    },
    headers: Object.fromEntries(entries.filter(([name]) => !taken.has(name))),
  };
}

/** Whether a header field is the one that carries credentials (RFC 9110 section 11.6.2). */
export function isAuthorization(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

function readFor({ kind, at }: SecurityScheme, name: string, value: string): string | undefined {
  if (kind === 'header') return name.toLowerCase() === at.toLowerCase() ? value : undefined;
  if (kind === 'cookie') return readOnlyCookie(at, name, value);
  if (kind === 'query' || !isAuthorization(name)) return undefined;
  const [word = '', ...rest] = value.trim().split(/\s+/);
  const own = rest.join(' ');
  if (own === '' || word.toLowerCase() !== at.toLowerCase()) return undefined;
  return kind === 'basic' ? Buffer.from(own, 'base64').toString('utf8') : own;
}

/** Of several cookies, the others would be lost. */
function readOnlyCookie(at: string, name: string, value: string): string | undefined {
  const isIt = name.toLowerCase() === 'cookie' && value.startsWith(`${at}=`) && !value.includes(';');
  return isIt ? value.slice(at.length + 1) : undefined;
}
