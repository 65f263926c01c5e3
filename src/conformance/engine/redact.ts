import type { WireRequest } from '../model/exchange.js';
import { PetstoreMockError } from '../../errors.js';
import { mapTexts, PLACEHOLDER, createRedactor, type Redactor, isSecretName } from '../../redact/redactor.js';
import { NOT_OBSERVED } from '../../contract/gaps/profile.js';
import type { ConformanceOptions } from '../model/options.js';
import type { GapResult, RunResult } from '../model/result.js';
import type { AuthForm } from '../model/scenario.js';
import { listSecretParts } from '../../contract/security.js';
import { readPairs } from '../http/prepare-request.js';
import { isAuthorization, isSource, listSourceSecrets, listSentKeys } from '../http/request-credentials.js';

/** What no target can influence: words of the runner, its files and the contract, which readers need for orientation. */
const OWN: ReadonlySet<string> = new Set(
  `verdict severity auth kind check state type method
  id scenario scenarios step operationId operation operations aboutGap choice question title
  asks wanted resource basis place contract coverage file date expires startedAt`.split(/\s+/),
);

/** All that a run says about a target passes here or through {@link redactResult}, before any report sees it. */
export function redactTexts<T>(value: T, redact: Redactor): T {
  return mapTexts(value, redact, OWN);
}

export function redactResult(result: RunResult, redact: Redactor): RunResult {
  const gaps = result.gaps.map((gap): GapResult => {
    const { answer } = gap;
    const isSecret = typeof answer === 'number' && redact(String(answer)) !== String(answer);
    const redacted = mapTexts({ ...gap, answer: isSecret ? NOT_OBSERVED : answer }, redact, OWN);
    return gap.kind === 'choice' ? { ...redacted, answer } : redacted;
  });
  return { ...mapTexts(result, redact, OWN), gaps };
}

export function redactError(error: unknown, redact: Redactor): unknown {
  if (!(error instanceof PetstoreMockError) || redact(error.message) === error.message) return error;
  return new PetstoreMockError(error.code, redact(error.message));
}

export function redactHeaders(headers: WireRequest['headers'], redact: Redactor, auth?: AuthForm) {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    const isBasic = typeof value === 'string' && value.startsWith('Basic ') && auth !== 'otherScheme';
    const form = auth === undefined ? PLACEHOLDER : `${isBasic ? 'Basic ' : ''}<${auth}>`;
    if (isAuthorization(name)) return [name, form];
    return [redact(name), isSecretName(name) ? PLACEHOLDER : redact([value].flat().join(', '))];
  });
  return Object.fromEntries(entries);
}

const PLAIN_FIELDS =
  /^(?:accept|content|sec|cache|if)(?:-.*)?$|^(?:user-agent|origin|referer|host|prefer|from|via|te|range|x-petstore-world)$/i;

type SecretName = 'apiKey' | 'credentialB' | 'credentials' | 'headers' | 'parameter' | 'proxy' | 'target' | 'tls';
export type SecretOptions = { [name in SecretName]?: ConformanceOptions[name] | undefined };

export const isTelling = (secret: string): boolean => secret.length >= 12;

/** How an answer may repeat a secret: as it is, byte by byte as header fields are read, and with JSON escapes. */
export function listEchoes(secret: string): string[] {
  const read = [secret, Buffer.from(secret).toString('latin1')];
  return [...new Set([...read, ...read.map((text) => JSON.stringify(text).slice(1, -1))])];
}

export type RunRedactor = Redactor & { learn: (secret: string) => void };

/** Removes every secret of a run from its output, including the wrong keys made from the right one, which reveal it. */
export function createRunRedactor(options: SecretOptions): RunRedactor {
  const { apiKey = '', credentialB = '', credentials = {}, headers = {} } = options;
  const shown = Object.entries(headers).filter(([name]) => isAuthorization(name));
  const inHeaders = shown.flatMap(([name, value]) => listCredentials(name, value));
  const fixed = Object.values(credentials).filter((each) => typeof each === 'string');
  const keys = [apiKey, credentialB, ...fixed, ...inHeaders];
  const secrets = new Set([...listSecrets(options), ...keys.flatMap(listSentKeys).filter(isTelling)]);
  let redactor = createRedactor([...secrets]);
  const redact = Object.assign((text: string): string => redactor(text), {
    head: (text: string, length: number) => redactor.head(text, length),
    reach: redactor.reach,
    learn(secret: string) {
      const all = [...listSecretParts(secret), ...listSentKeys(secret).filter(isTelling)];
      if (all.every((each) => secrets.has(each))) return;
      for (const each of all) secrets.add(each);
      redactor = createRedactor([...secrets]);
    },
  });
  return Object.defineProperty(redact, 'reach', { get: () => redactor.reach });
}

/** For text that has passed {@link createRunRedactor}: removes only the secrets that are not words of a format. */
export function createOutputGuard(options: SecretOptions): Redactor {
  return createRedactor(listSecrets(options).filter(isTelling));
}

export function listSecrets(options: SecretOptions): string[] {
  const { apiKey, credentialB = '', credentials, headers, parameter = [], proxy, target, tls } = options;
  const secretPairs = Object.entries(readPairs(parameter)).filter(([name]) => isSecretName(name));
  const named = [...Object.entries(headers ?? {}), ...secretPairs];
  const own = Object.values(credentials ?? {}).flatMap((each) =>
    isSource(each) ? listSourceSecrets(each) : listSecretParts(each),
  );
  const inUrls = [target, proxy].flatMap(listPasswords);
  const parts = [...own, ...named.flatMap(([name, value]) => listCredentials(name, value)), ...inUrls];
  const all = [apiKey, ...listSecretParts(credentialB), ...parts, tls?.clientCertificate?.passphrase];
  return [...new Set(all.filter((secret): secret is string => secret !== undefined && secret !== ''))];
}

function listCredentials(name: string, value: string): string[] {
  if (!isSecretName(name)) return PLAIN_FIELDS.test(name) || value.length < 12 ? [] : [value];
  const parts = value.split(/[\s;,]+/).flatMap((part) => [part, part.slice(part.indexOf('=') + 1)]);
  const basic = /^basic\s+(\S+)/i.exec(value)?.[1] ?? '';
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  const password = pair.slice(pair.indexOf(':') + 1);
  return [value, ...parts.filter(({ length }) => length >= 8), password];
}

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
