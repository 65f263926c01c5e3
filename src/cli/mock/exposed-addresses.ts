import { networkInterfaces } from 'node:os';
import { formatOrigin } from '../../server/http/listen.js';

/** The origins by which other machines reach a host and port: every address of this machine for a wildcard. */
export function listExposedOrigins(host: string, port: number): string[] {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare !== '0.0.0.0' && bare !== '::') return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, address }) => {
      // A link-local address is of no use without the interface it belongs to.
      return !internal && (family === 'IPv4' || (bare === '::' && !address.startsWith('fe80:')));
    })
    .map(({ address }) => formatOrigin(address, port));
}
