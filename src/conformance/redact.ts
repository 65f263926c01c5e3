import { createSecretPattern, listSpellings } from '../secrets.js';
import type { AuthForm } from './scenarios/scenario.js';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

const SECRET_NAME = /auth|key|token|secret|cookie|password|credential/i;
const PLACEHOLDER = '<redacted>';

/** So many characters of a secret tell something of it. */
const TELLING_LENGTH = 4;

/**
 * Replaces every secret by value, whatever it stands in, and the start of one
 * that a text ends in before `…`. A secret of a few characters is replaced
 * where it stands alone.
 */
export function createRedact(secrets: readonly string[]): Redact {
  // The longest first, so that no rest of it is left.
  const known = [...new Set(secrets)].filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length);
  const patterns = known.map(createSecretPattern);
  const spellings = known.flatMap(listSpellings);
  return (text) =>
    redactCutOff(
      patterns.reduce((redacted, pattern) => redacted.replace(pattern, PLACEHOLDER), text),
      spellings,
    );
}

function redactCutOff(text: string, secrets: readonly string[]): string {
  const [first = '', ...rest] = text.split('…');
  if (rest.length === 0) return text;
  const parts = [first, ...rest];
  return parts.map((part, index) => (index < rest.length ? hideStart(part, secrets) : part)).join('…');
}

function hideStart(text: string, secrets: readonly string[]): string {
  const lengths = secrets.map((secret) => {
    for (let length = secret.length - 1; length >= TELLING_LENGTH; length--) {
      if (text.endsWith(secret.slice(0, length))) return length;
    }
    return 0;
  });
  const longest = Math.max(0, ...lengths);
  return longest === 0 ? text : `${text.slice(0, -longest)}${PLACEHOLDER}`;
}

/** Header fields for a report: secrets by name and by value. */
export function redactHeaders(
  headers: Readonly<Record<string, string | readonly string[]>>,
  redact: Redact,
  auth?: AuthForm,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => {
    if (name.toLowerCase() === 'authorization') return [name, `<${auth ?? 'redacted'}>`];
    return [name, isSecretName(name) ? PLACEHOLDER : redact([value].flat().join(', '))];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Whether a header of this name holds something that no report may show. `WWW-Authenticate` names no secret. */
export function isSecretName(name: string): boolean {
  return name.toLowerCase() !== 'www-authenticate' && SECRET_NAME.test(name);
}
