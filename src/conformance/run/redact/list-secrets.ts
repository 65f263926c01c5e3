import { listSecretParts } from '../../../contract/security.js';
import { createRedactor, type Redactor } from '../../../redact/redactor.js';
import { isSecretName } from '../../../redact/secret-names.js';
import type { ConformanceOptions } from '../../model/options.js';
import { readPairs } from '../../wire/request/needed-parameters.js';
import { isAuthorization } from '../../wire/request/take-authorization.js';
import { listSentKeys } from '../../wire/request/present-key.js';
import { isSource, listFixed, listSourceSecrets } from '../../wire/credentials/read-source.js';

/** A shorter part of a field's value reveals nothing by itself. */
const SHORTEST_PART = 8;

/** A value of this length, in a field with any other name, counts as a credential. */
const SHORTEST_OPAQUE = 12;

/** Fields that describe the client or its wishes in words that also occur in answers. */
const PLAIN_FIELDS =
  /^(?:accept|content|sec|cache|if)(?:-.*)?$|^(?:user-agent|origin|referer|host|prefer|from|via|te|range|x-petstore-world)$/i;

/** The options that hold a secret, or may hold one. */
export type SecretOptions = {
  [name in 'apiKey' | 'credentials' | 'headers' | 'parameter' | 'proxy' | 'target' | 'tls']?:
    | ConformanceOptions[name]
    | undefined;
};

/** A shorter key occurs in any text by chance. */
const SHORTEST_TELLING_KEY = 12;

/** Whether a text with this secret must have it from the run. */
export function isTelling(secret: string): boolean {
  return secret.length >= SHORTEST_TELLING_KEY;
}

/** How an answer may repeat a secret: as it is, byte by byte as header fields are read, and with JSON escapes. */
export function listEchoes(secret: string): string[] {
  const read = [secret, Buffer.from(secret).toString('latin1')];
  return [...new Set([...read, ...read.map((text) => JSON.stringify(text).slice(1, -1))])];
}

/** A redactor that learns the secrets which a run gets on its way. */
export interface RunRedactor extends Redactor {
  learn: (secret: string) => void;
}

/** Removes every secret of a run from its output, including the wrong keys made from the right one, which reveal it. */
export function createRunRedactor(options: SecretOptions): RunRedactor {
  const shown = Object.entries(options.headers ?? {}).filter(([name]) => isAuthorization(name));
  const inHeaders = shown.flatMap(([name, value]) => listCredentials(name, value));
  const keys = [options.apiKey ?? '', ...Object.values(listFixed(options.credentials ?? {})), ...inHeaders];
  const secrets = new Set([...listSecrets(options), ...keys.flatMap(listSentKeys).filter(isTelling)]);
  let redactor = createRedactor([...secrets]);
  const redact = (text: string): string => redactor(text);
  return Object.defineProperty(
    Object.assign(redact, {
      head: (text: string, length: number) => redactor.head(text, length),
      reach: redactor.reach,
      learn(secret: string) {
        const all = [...listSecretParts(secret), ...listSentKeys(secret).filter(isTelling)];
        if (all.every((each) => secrets.has(each))) return;
        for (const each of all) secrets.add(each);
        redactor = createRedactor([...secrets]);
      },
    }),
    'reach',
    { get: () => redactor.reach },
  );
}

/**
 * Removes the secrets from text for a stream or a file that has already passed {@link createRunRedactor}:
 * only those that are not words of a format.
 */
export function createOutputGuard(options: SecretOptions): Redactor {
  return createRedactor(listSecrets(options).filter(isTelling));
}

/** The secrets in a run's options, which its output must not reveal: the key, header fields, passwords of URLs and certificates. */
export function listSecrets({
  apiKey,
  credentials,
  headers,
  parameter = [],
  proxy,
  target,
  tls,
}: SecretOptions): string[] {
  const fromHeaders = Object.entries(headers ?? {}).flatMap(([name, value]) => listCredentials(name, value));
  // What the contract asks for by such a name is no secret otherwise, however long it is.
  const fromParameters = Object.entries(readPairs(parameter))
    .filter(([name]) => isSecretName(name))
    .flatMap(([name, value]) => listCredentials(name, value));
  const passphrase = tls?.clientCertificate?.passphrase;
  const own = Object.values(credentials ?? {}).flatMap((each) =>
    isSource(each) ? listSourceSecrets(each) : listSecretParts(each),
  );
  const all = [
    apiKey,
    ...own,
    ...fromHeaders,
    ...fromParameters,
    ...listPasswords(target),
    ...listPasswords(proxy),
    passphrase,
  ];
  return [...new Set(all.filter((secret): secret is string => secret !== undefined && secret !== ''))];
}

/** The value, and the credentials within it: the token after its scheme, the values of cookies, a Basic password. */
function listCredentials(name: string, value: string): string[] {
  if (!isSecretName(name)) return PLAIN_FIELDS.test(name) || value.length < SHORTEST_OPAQUE ? [] : [value];
  const parts = value.split(/[\s;,]+/).flatMap((part) => [part, part.slice(part.indexOf('=') + 1)]);
  const basic = /^basic\s+(\S+)/i.exec(value)?.[1] ?? '';
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  const password = pair.slice(pair.indexOf(':') + 1);
  return [value, ...parts.filter(({ length }) => length >= SHORTEST_PART), password];
}

/** As written in the URL, and decoded; a percent sign may be literal. A user without a password is a token. */
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
