import { networkInterfaces } from 'node:os';
import { formatOrigin } from '../../server/http/listen.js';

/** The origins at which other machines reach a host and port: for a wildcard, every address of this machine. */
export function listExposedOrigins(host: string, port: number): string[] {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare !== '0.0.0.0' && bare !== '::') return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, address }) => {
      // A link-local address is useless without its interface.
      return !internal && (family === 'IPv4' || (bare === '::' && !address.startsWith('fe80:')));
    })
    .map(({ address }) => formatOrigin(address, port));
}
