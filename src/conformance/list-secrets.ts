import { createRedactor, type Redactor } from '../redact/redactor.js';
import { isSecretName } from '../redact/secret-names.js';
import type { ConformanceOptions } from './options.js';
import { listSentKeys } from './request/present-key.js';

/** A part of a field's value that is shorter tells nothing by itself. */
const SHORTEST_PART = 8;

/** So long a value, in a field of any other name, is taken for a credential. */
const SHORTEST_OPAQUE = 12;

/** Fields that say what a client wants or is, in words that answers have too. */
const PLAIN_FIELDS =
  /^(?:accept|content|sec|cache|if)(?:-.*)?$|^(?:user-agent|origin|referer|host|prefer|from|via|te|range|x-petstore-world)$/i;

/** The options that hold a secret, or may. */
export type SecretOptions = {
  [name in 'apiKey' | 'headers' | 'proxy' | 'target' | 'tls']?: ConformanceOptions[name] | undefined;
};

/** A shorter key stands in any text by chance. */
const SHORTEST_TELLING_KEY = 12;

/** Whether a text that has this secret has it from nowhere else. */
export function isTelling(secret: string): boolean {
  return secret.length >= SHORTEST_TELLING_KEY;
}

/** How an answer repeats a secret: as it is, byte by byte as a header field is read, and with the escapes of a JSON text. */
export function listEchoes(secret: string): string[] {
  const read = [secret, Buffer.from(secret).toString('latin1')];
  return [...new Set([...read, ...read.map((text) => JSON.stringify(text).slice(1, -1))])];
}

/** Takes every secret of a run out of what it tells; so too the wrong keys that it makes of the right one, which tell of it. */
export function createRunRedactor(options: SecretOptions): Redactor {
  return createRedactor([...listSecrets(options), ...listSentKeys(options.apiKey ?? '').filter(isTelling)]);
}

/**
 * Takes the secrets out of what is written to a stream or a file, which has passed {@link createRunRedactor} already:
 * only those that are no word of a format.
 */
export function createOutputGuard(options: SecretOptions): Redactor {
  return createRedactor(listSecrets(options).filter(isTelling));
}

/** What of a run's options nobody may learn from what it writes: the key, header fields, passwords of URLs and certificates. */
export function listSecrets({ apiKey, headers, proxy, target, tls }: SecretOptions): string[] {
  const fromHeaders = Object.entries(headers ?? {}).flatMap(([name, value]) => listCredentials(name, value));
  const passphrase = tls?.clientCertificate?.passphrase;
  const all = [apiKey, ...fromHeaders, ...listPasswords(target), ...listPasswords(proxy), passphrase];
  return [...new Set(all.filter((secret): secret is string => secret !== undefined && secret !== ''))];
}

/** The value, and what of it is a credential by itself: the token behind its scheme, the values of cookies, a Basic password. */
function listCredentials(name: string, value: string): string[] {
  if (!isSecretName(name)) return PLAIN_FIELDS.test(name) || value.length < SHORTEST_OPAQUE ? [] : [value];
  const parts = value.split(/[\s;,]+/).flatMap((part) => [part, part.slice(part.indexOf('=') + 1)]);
  const basic = /^basic\s+(\S+)/i.exec(value)?.[1] ?? '';
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  const password = pair.slice(pair.indexOf(':') + 1);
  return [value, ...parts.filter(({ length }) => length >= SHORTEST_PART), password];
}

/** As the URL writes it, and as it is meant; a percent sign may stand for itself. A user without a password is a token. */
function listPasswords(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { username, password } = new URL(url);
  const secret = password === '' ? username : password;
  try {
    return [secret, decodeURIComponent(secret)];
  } catch {
    return [secret];
  }
}
