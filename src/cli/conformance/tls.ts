import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readText } from '../../contract/document/document.js';
import type { TlsOptions } from '../../conformance/model/options.js';
import { readNamedVariable } from './config.js';
import { bad } from './options/option-rules.js';
import type { RunnerOptions } from './options.js';
import type { Environment } from '../options/environment.js';

const PASSPHRASE_VARIABLE = 'PETSTORE_CERT_PASSPHRASE';

/** Reads the certificates, and refuses those with which a connection would fail later. */
export function readTls(pick: RunnerOptions, env: Environment): TlsOptions {
  return {
    ca: readAuthorities(pick),
    clientCertificate: readClientCertificate(pick, env),
    insecure: pick.values.insecure,
  };
}

function readAuthorities({ values, given }: RunnerOptions): string | undefined {
  const path = values.ca;
  if (path === undefined) return undefined;
  const text = readText(path);
  if (listCertificates(text).length > 0) return text;
  throw bad(`${given('ca')?.where ?? ''}: ${path} has no readable PEM certificates.`);
}

function readClientCertificate({ values, given }: RunnerOptions, env: Environment): TlsOptions['clientCertificate'] {
  const { cert: certPath, certKey: keyPath = certPath } = values;
  if (certPath === undefined || keyPath === undefined) {
    if (keyPath !== undefined)
      throw bad(`${given('cert-key')?.where ?? ''} needs --cert, the certificate of this key.`);
    return undefined;
  }
  const cert = readText(certPath);
  const [own] = listCertificates(cert);
  if (own === undefined) throw bad(`${given('cert')?.where ?? ''}: ${certPath} has no readable PEM certificates.`);
  const key = readText(keyPath);
  const passphrase = readNamedVariable(given('cert-passphrase-env'), env) ?? (env[PASSPHRASE_VARIABLE] || undefined);
  if (!own.checkPrivateKey(readKey(key, keyPath, passphrase)))
    throw bad(`${keyPath} is not the key of the certificate in ${certPath}.`);
  return { cert, key, passphrase };
}

function listCertificates(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.map((pem) => new X509Certificate(pem));
  } catch {
    return [];
  }
}

function readKey(text: string, path: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey(passphrase === undefined ? text : { key: text, passphrase });
  } catch {
    const isLocked = /ENCRYPTED/.test(text);
    if (isLocked && passphrase === undefined)
      throw bad(`the key in ${path} is locked; set ${PASSPHRASE_VARIABLE} to its passphrase.`);
    throw bad(
      isLocked ? `the passphrase does not unlock the key in ${path}.` : `${path} has no readable PEM private key.`,
    );
  }
}
