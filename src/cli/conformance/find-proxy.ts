import { getProxyForUrl } from 'proxy-from-env';
import type { Environment } from '../options/environment.js';

/** The proxy that the environment has for a URL (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` unless `NO_PROXY`; either case). */
export function findProxy(target: string, env: Environment): string | undefined {
  const proxy = getProxyForUrl(target);
  if (proxy === '') return undefined;
  const isHttps = /^https:/i.test(target);
  const names = [isHttps ? 'https_proxy' : 'http_proxy', 'all_proxy'];
  const written = names.flatMap((name) => env[name] || env[name.toUpperCase()] || [])[0];
  // Without a scheme it is HTTP that a proxy speaks, as for curl; the library takes the target's.
  return written !== undefined && !written.includes('://') ? `http://${written}` : proxy;
}
