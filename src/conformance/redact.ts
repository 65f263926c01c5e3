import type { AuthForm } from './scenario.js';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

const SECRET_NAME = /auth|key|token|secret|cookie|password|credential/i;
const PLACEHOLDER = '<redacted>';

/** So many characters of a secret tell something of it. */
const TELLING_LENGTH = 4;

/** Replaces every secret by value, whatever it stands in, and the start of one that a text ends in before `…`. */
export function createRedact(secrets: readonly string[]): Redact {
  const written = secrets.filter((secret) => secret !== '').flatMap(listSpellings);
  // The longest first, so that no rest of it is left.
  const known = [...new Set(written)].toSorted((a, b) => b.length - a.length);
  return (text) =>
    redactCutOff(
      known.reduce((redacted, secret) => redacted.replaceAll(secret, PLACEHOLDER), text),
      known,
    );
}

/** As it stands, within JSON and within a URL. */
function listSpellings(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
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
