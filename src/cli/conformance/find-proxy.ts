import { getProxyForUrl } from 'proxy-from-env';
import type { Environment } from '../options/define-options.js';

/** The proxy that the environment sets for a URL (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` unless `NO_PROXY`; either case). */
export function findProxy(target: string, env: Environment): string | undefined {
  const proxy = getProxyForUrl(target);
  if (proxy === '') return undefined;
  const isHttps = /^https:/i.test(target);
  const names = [isHttps ? 'https_proxy' : 'http_proxy', 'all_proxy'];
  const written = names.flatMap((name) => env[name] || env[name.toUpperCase()] || [])[0];
  // Without a scheme, a proxy speaks HTTP, as for curl; the library would take the target's scheme.
  return written !== undefined && !written.includes('://') ? `http://${written}` : proxy;
}
