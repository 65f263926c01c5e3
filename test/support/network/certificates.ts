import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMissing } from '../optional-tool.js';

/** Paths of PEM files: an authority, what it signed, and another authority. */
export interface Certificates {
  ca: string;
  otherCa: string;
  server: { cert: string; key: string };
  client: { cert: string; key: string; lockedKey: string };
}

export const PASSPHRASE = 'open-sesame';

/** Whether tests of TLS are to be skipped. */
export function lacksOpenssl(): boolean {
  const found = spawnSync('openssl', ['version']).error === undefined;
  return isMissing({ found, name: 'openssl', howToGet: 'install it (on Debian: apt-get install openssl)' });
}

/** An authority with a server's certificate for `localhost` and 127.0.0.1, and one for a client. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-certificates-'));
  const at = (name: string): string => join(folder, name);
  for (const name of ['ca', 'other-ca']) certify(name, [], folder);
  certify('server', [...BY_AUTHORITY, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'], folder);
  certify('client', BY_AUTHORITY, folder);
  openssl(['pkcs8', '-topk8', '-in', 'client.key', '-out', 'locked.key', '-passout', `pass:${PASSPHRASE}`], folder);
  return {
    ca: at('ca.pem'),
    otherCa: at('other-ca.pem'),
    server: { cert: at('server.pem'), key: at('server.key') },
    client: { cert: at('client.pem'), key: at('client.key'), lockedKey: at('locked.key') },
  };
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
const BY_AUTHORITY = ['-CA', 'ca.pem', '-CAkey', 'ca.key'];

function certify(name: string, more: string[], folder: string): void {
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`];
  openssl(['req', '-x509', ...NEW_KEY, ...files, ...more], folder);
}

function openssl(args: string[], cwd: string): void {
  execFileSync('openssl', args, { cwd, stdio: 'ignore' });
}
