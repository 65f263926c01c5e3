import type { AuthForm } from './scenario.js';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

const SECRET_NAME = /auth|key|token|secret|cookie|password|credential/i;
const PLACEHOLDER = '<redacted>';

/** Replaces every secret by value, whatever it stands in. */
export function createRedact(secrets: readonly string[]): Redact {
  // The longest first, so that no rest of it is left.
  const known = secrets.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length);
  return (text) => known.reduce((redacted, secret) => redacted.replaceAll(secret, PLACEHOLDER), text);
}

/** Header fields for a report: secrets by name and by value. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redact: Redact,
  auth?: AuthForm,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => {
    if (name.toLowerCase() === 'authorization') return [name, `<${auth ?? 'redacted'}>`];
    return [name, isSecretName(name) ? PLACEHOLDER : redact(value)];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Whether a header of this name holds something that no report may show. `WWW-Authenticate` names no secret. */
export function isSecretName(name: string): boolean {
  return name.toLowerCase() !== 'www-authenticate' && SECRET_NAME.test(name);
}
