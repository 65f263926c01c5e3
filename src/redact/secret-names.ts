import { createRedactor, PLACEHOLDER } from './redactor.js';

const SECRET_NAME = /auth(?!ors?$)|key|token|secret|cookie|passw|passphrase|pwd|credential|session|signature|jwt/i;
const PUBLIC_NAMES: ReadonlySet<string> = new Set(['www-authenticate', 'proxy-authenticate', 'idempotency-key']);

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !PUBLIC_NAMES.has(name.toLowerCase());
}

const SECRET_PARAMETER =
  /([?&;](?:api[-_]?key|key|(?:access|auth|id|refresh)?[-_]?token|authorization|auth|secret|password)=)[^&;\s"]+/gi;

/** Removes these secrets from any text, and the values of query parameters with names of secrets. */
export function createRequestRedactor(secrets: readonly string[]): (text: string) => string {
  const redact = createRedactor(secrets);
  return (text) => redact(text.includes('=') ? text.replace(SECRET_PARAMETER, `$1${PLACEHOLDER}`) : text);
}
